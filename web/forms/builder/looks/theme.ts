import { type Colour, contrastOf, readColour } from '../../../../src/forms/readiness/contrast.ts';

/** What of the looks of a page can be set by a single value, with what the product itself takes. */
export const THEME = {
  '--accent': '#0b5a75',
  '--ink': '#17242e',
  '--soft': '#4b5a66',
  '--round': '.5rem',
  'font-family': '',
} as const;

export type ThemeName = keyof typeof THEME;

/** Colours that go with the first one. */
const BESIDE_ACCENT: Record<string, string> = {
  '--accent-dark': 'color-mix(in srgb, var(--accent) 75%, black)',
  '--accent-faint': 'color-mix(in srgb, var(--accent) 12%, white)',
};

/** What the questions stand on. */
const PAPER: Colour = [255, 255, 255];

const ROOT = /:root\s*\{([^{}]*)\}/;

/** A value of the theme as a style sheet sets it; null where it does not. */
export function themeIn(css: string, name: ThemeName): string | null {
  const [, block = ''] = ROOT.exec(css) ?? [];
  const found = declarationsOf(block).findLast(([property]) => property === name);
  return found?.[1] ?? null;
}

/** The style sheet with a value of the theme; null takes it away. Everything else stays as it was written. */
export function withTheme(css: string, name: ThemeName, value: string | null): string {
  const [whole = null, block = ''] = ROOT.exec(css) ?? [];
  const own = name === '--accent' ? [name, ...Object.keys(BESIDE_ACCENT)] : [name];
  const others = declarationsOf(block).filter(([property]) => !own.includes(property));
  const set: [string, string][] = value === null ? [] : [[name, value]];
  const beside = value !== null && name === '--accent' ? Object.entries(BESIDE_ACCENT) : [];
  const declarations = [...others, ...set, ...beside].map(([property, written]) => `  ${property}: ${written};\n`);
  const rule = declarations.length === 0 ? '' : `:root {\n${declarations.join('')}}`;
  if (whole !== null) return css.replace(whole, () => rule).trim();
  return [rule, css].filter((part) => part !== '').join('\n');
}

/** How well a colour of the theme can be read where it stands; null where it cannot be told. */
export function contrastIn(css: string, name: '--accent' | '--ink' | '--soft'): number | null {
  const colour = readColour(themeIn(css, name) ?? THEME[name]);
  return colour === null ? null : contrastOf(colour, PAPER);
}

function declarationsOf(block: string): [string, string][] {
  return block.split(';').flatMap((part): [string, string][] => {
    const [property = '', ...value] = part.split(':');
    return value.length === 0 ? [] : [[property.trim(), value.join(':').trim()]];
  });
}
