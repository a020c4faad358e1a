import { isAscii, isUtf8 } from 'node:buffer';

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const MULTIBYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const HIGH = /[\x80-\xff]/g;
/** What a piece may end with of a character whose rest is in the next. */
const CUT_OFF = /([\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/;
const NOT_IN_1252 = /[\x81\x8d\x8f\x90\x9d]/;
const NOT_ASCII = /[^\0-\x7f]/;
const from1252 = new TextDecoder('windows-1252');

/** The byte order mark that a file begins with: the encoding it stands for and its length. */
export function readByteOrderMark(head: Buffer): { encoding: Encoding; length: number } | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  return null;
}

/** Tells UTF-8 from windows-1252 by all of a file; where both stand in it, by which is the more frequent. */
export class EncodingGuess {
  #carried = '';
  #multibyte = 0;
  #stray = 0;

  look(piece: Buffer): void {
    if (this.#carried === '' && isAscii(piece)) return;
    const text = this.#carried + piece.toString('latin1');
    this.#carried = CUT_OFF.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - this.#carried.length);
    this.#multibyte += whole.match(MULTIBYTE)?.length ?? 0;
    this.#stray += whole.replace(MULTIBYTE, '').match(HIGH)?.length ?? 0;
  }

  get encoding(): Encoding {
    return this.#stray + this.#carried.length > this.#multibyte ? 'windows-1252' : 'utf-8';
  }
}

/** How many bytes stand for one character of the text that `textOf` makes. */
export function unitOf(encoding: Encoding): 1 | 2 {
  return encoding.startsWith('utf-16') ? 2 : 1;
}

/**
 * The bytes of a file as text of which every character stands for as many bytes, so that a place in the one is a place
 * in the other. `decodeCells` turns what was cut out of it into words.
 */
export function textOf(piece: Buffer, encoding: Encoding): string {
  if (encoding === 'utf-16be') return Buffer.from(piece).swap16().toString('utf16le');
  return encoding === 'utf-16le' ? piece.toString('utf16le') : piece.toString('latin1');
}

/** The cells of a row in words, or null where its bytes are no text of that encoding. */
export function decodeCells(cells: string[], text: string, encoding: Encoding): string[] | null {
  if (text.includes('\0')) return null;
  if (!NOT_ASCII.test(text)) return cells;
  if (unitOf(encoding) === 2) return text.isWellFormed() ? cells : null;
  if (encoding === 'windows-1252') {
    return NOT_IN_1252.test(text) ? null : cells.map((cell) => from1252.decode(Buffer.from(cell, 'latin1')));
  }
  if (!isUtf8(Buffer.from(text, 'latin1'))) return null;
  return cells.map((cell) => (NOT_ASCII.test(cell) ? Buffer.from(cell, 'latin1').toString() : cell));
}
