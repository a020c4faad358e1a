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

function quote(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
