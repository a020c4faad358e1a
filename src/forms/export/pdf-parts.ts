import { LINE_END } from './pdf-text.ts';

/** About what fits into the width of a page. */
const SIGNS_IN_A_ROW = 90;
const ROWS_IN_A_PART = 200;
const LONGEST_PIECE = SIGNS_IN_A_ROW * 100;
/** So much of a line as is drawn at once, up to a space where there is one. */
const PIECE = new RegExp(`.{1,${LONGEST_PIECE}}(?: |$)|.{1,${LONGEST_PIECE}}`, 'gsu');

/** As much of a text as may be shown, in parts of which each takes some milliseconds to draw. */
export interface Parts {
  parts: string[];
  rows: number;
  isCut: boolean;
}

/** Takes at most so many rows of a text, and one line at least. */
export function partsOf(text: string, mostRows: number): Parts {
  const head = text.slice(0, mostRows * (SIGNS_IN_A_ROW + 2));
  const pieces = head.split(LINE_END).flatMap((line) => line.match(PIECE) ?? ['']);
  const parts: string[][] = [];
  let rows = 0;
  let inPart = ROWS_IN_A_PART;
  for (const piece of pieces) {
    const more = Math.max(1, Math.ceil(piece.length / SIGNS_IN_A_ROW));
    if (rows > 0 && rows + more > mostRows) return { parts: joined(parts), rows, isCut: true };
    if (inPart + more > ROWS_IN_A_PART) {
      parts.push([]);
      inPart = 0;
    }
    parts.at(-1)?.push(piece);
    rows += more;
    inPart += more;
  }
  return { parts: joined(parts), rows, isCut: head.length < text.length };
}

function joined(parts: string[][]): string[] {
  return parts.map((lines) => lines.join('\n'));
}
