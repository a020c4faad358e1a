/** A colour by its red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

const HEX = /^#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))$/i;
const RGB = /^rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)$/i;
const NAMED: Record<string, Colour> = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  orange: [255, 165, 0],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  silver: [192, 192, 192],
  lightgray: [211, 211, 211],
  lightgrey: [211, 211, 211],
};

/** Reads a colour that is written plainly; null for one that is computed, see-through or unknown. */
export function readColour(text: string): Colour | null {
  const word = text.trim().toLowerCase();
  const hex = HEX.exec(word);
  if (hex !== null) {
    const parts = hex.slice(1).filter((part) => part !== undefined);
    const [red = 0, green = 0, blue = 0] = parts.map((part) =>
      Number.parseInt(part.length === 1 ? part + part : part, 16),
    );
    return [red, green, blue];
  }
  const rgb = RGB.exec(word);
  if (rgb !== null) {
    const [red = 0, green = 0, blue = 0] = rgb.slice(1).map((part) => Math.min(Number(part), 255));
    return [red, green, blue];
  }
  return Object.hasOwn(NAMED, word) ? (NAMED[word] ?? null) : null;
}

/** The contrast of two colours (WCAG 2.2), 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
