import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type Face = 'regular' | 'bold' | 'mono';

/** What fontkit, which pdfkit reads fonts with, gives for one. */
interface Font {
  characterSet: number[];
}

interface Loaded {
  open(): Font;
  /** The code points that it has a shape for. */
  signs: Set<number>;
}

const require = createRequire(import.meta.url);
export const FACES: Face[] = ['regular', 'bold', 'mono'];
const FILES: Record<Face, string> = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
};
/** Words longer than this may break anywhere: a line never leaves the page, and a long one costs no more than its length. */
const LONG_WORD = /[^ \n]{80,}/gu;
const LONG_GAP = / {81,}/g;
/** More marks on one letter than any language has; lines of nothing else would never be full. */
const PILE = /([\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]+/gu;
/** Signs that draw nothing, or that turn the direction of writing, so that a text reads as another. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u2060\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Whatever ends a line. */
export const LINE_END = /\r\n?|[\n\u0085\u2028\u2029\v\f]/g;

const loaded = new Map<Face, Loaded>();

/** A font for one document, which embeds what it uses of it. */
export function openFont(face: Face): Font {
  return load(face).open();
}

/**
 * Reading the tables of a font takes 20 ms, so all documents share them, as fontkit itself shares them among the
 * variations of a font. But glyphs remember letters, and those must stay in one document.
 */
function load(face: Face): Loaded {
  const known = loaded.get(face);
  if (known !== undefined) return known;
  const fontkit = createRequire(require.resolve('pdfkit'))('fontkit') as { create(bytes: Buffer): Font };
  const bytes = readFileSync(FILES[face]);
  const font = fontkit.create(bytes);
  const tables: unknown = Reflect.get(font, '_tables');
  const open = () => Object.assign(fontkit.create(bytes), { _tables: tables });
  const read = { open, signs: new Set(font.characterSet) };
  loaded.set(face, read);
  return read;
}

/** A text as it can be set on a page: no control signs, lines ended by `\n`, long words made to break. */
export function printable(text: string): string {
  return text
    .replaceAll('\t', '    ')
    .split(LINE_END)
    .map((line) => line.replace(UNPRINTABLE, ''))
    .join('\n')
    .replace(PILE, '$1')
    .replace(LONG_GAP, ' '.repeat(80))
    .replace(LONG_WORD, (word) => word.replace(/.{40}/gu, '$&\u200b'));
}

/** Whether the font lacks a sign of the text, so that a box stands for it on the page. */
export function lacksGlyph(face: Face, text: string): boolean {
  const { signs } = load(face);
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    if (code > 0x7e && !signs.has(code) && !/\p{Default_Ignorable_Code_Point}/u.test(sign)) return true;
  }
  return false;
}
