const PIECE_LENGTH = 64 * 1024;
const QUOTE = 0x22;
const QUOTED = /[",\r\n]/;
/** Most cells have none of these, and need no closer look. */
const SUSPECT = /[=+\-@＝＋－＠\t\r\0]/;
/** No formula, though it may begin with a sign. */
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const SEPARATOR = /[;\t\r\n]/;
/** A formula as spreadsheets see one, also where they skip blanks, invisible signs or quotes before it. */
const FORMULA = /^(?:[\t\r]|[\s"'\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;
/**
 * Spreadsheets of many countries split at `;` or a tab and then take quotes and line breaks for plain text, so a cell
 * can begin inside of ours. There only what can call a function or a program is defused: a list of `- this` stays.
 */
const INNER_FORMULA =
  /(?=[=@＝＠+\-＋－])(?<=[;\t\r\n][\s"'\p{Cc}\p{Cf}]*)(?=[=@＝＠]|.[^;\t\r\n]*(?:\||[\p{L}\p{N}_.]\())/gu;

/** A cell that no spreadsheet takes for a formula: an apostrophe stands before what would begin one. */
export function defuse(cell: string): string {
  if (!SUSPECT.test(cell) || PLAIN_NUMBER.test(cell)) return cell;
  const text = cell.replaceAll('\0', '');
  const inner = SEPARATOR.test(text) ? text.replace(INNER_FORMULA, "'") : text;
  return FORMULA.test(inner) ? `'${inner}` : inner;
}

/** What a cell said before it was defused. What stands before a formula further inside stays: it may have been there. */
export function armed(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** A line of CSV (RFC 4180), its cells defused. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(defuse(cell))).join(',')}\r\n`;
}

/** A table as CSV, made as it is read, in pieces of about 64 KB, however long a cell is. */
export async function* writeRows(
  headers: string[],
  rows: AsyncIterable<string[]>,
): AsyncGenerator<Buffer, void, undefined> {
  let piece = csvLine(headers);
  for await (const row of rows) {
    const isLong = row.some((cell) => cell.length > PIECE_LENGTH);
    if (!isLong) piece += csvLine(row);
    if (!isLong && piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
    if (isLong) yield* longLine(row);
  }
  if (piece !== '') yield Buffer.from(piece);
}

/** A line with cells of megabytes: each is quoted, as bytes, since doubling the quotes of a text takes ten times as long. */
function* longLine(cells: readonly string[]): Generator<Buffer> {
  for (const [place, cell] of cells.entries()) {
    yield Buffer.from(place === 0 ? '"' : '","');
    const bytes = Buffer.from(defuse(cell));
    for (let at = 0; at < bytes.length; at += PIECE_LENGTH) yield doubleQuotes(bytes.subarray(at, at + PIECE_LENGTH));
  }
  yield Buffer.from('"\r\n');
}

function doubleQuotes(bytes: Buffer): Buffer {
  const doubled = Buffer.allocUnsafe(2 * bytes.length);
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    doubled[end++] = byte;
    if (byte === QUOTE) doubled[end++] = QUOTE;
  }
  return doubled.subarray(0, end);
}

function quote(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;
}
