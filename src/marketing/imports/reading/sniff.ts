import { parseAddress } from '../../../email/index.ts';
import { type CsvForm, CsvReader, type CsvRecord } from './csv-reader.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;
const LOOKED_AT = 50;

type ReadRecord = Extract<CsvRecord, { cells: string[] }>;

/** The first rows of a text, as a form reads them. */
export function firstRows(head: string, form: CsvForm, isWhole: boolean, most: number): ReadRecord[] {
  const reader = new CsvReader(form);
  reader.write(head);
  if (isWhole) reader.end();
  const rows: ReadRecord[] = [];
  for (let record = reader.next(); record !== null && rows.length < most; record = reader.next()) {
    if ('cells' in record) rows.push(record);
  }
  return rows;
}

/** What parts the lines of a text: whichever stands more often outside of quotes. */
export function newlineIn(head: string): CsvForm['newline'] {
  const outside = head
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('"');
  const returns = outside.match(/\r(?!\n)/g)?.length ?? 0;
  const feeds = outside.match(/\n/g)?.length ?? 0;
  return returns > feeds ? '\r' : '\n';
}

/** What parts the cells of a text: what cuts most of its first rows into as many as the first one, and into most. */
export function delimiterIn(head: string, newline: CsvForm['newline'], isWhole: boolean): string {
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const rows = firstRows(head, { delimiter, newline }, isWhole, LOOKED_AT);
    const columns = rows[0]?.cells.length ?? 0;
    if (columns < 2) continue;
    const alike = rows.filter(({ cells }) => cells.length === columns).length / rows.length;
    const score = alike * 1_000 + Math.min(columns, 900);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Whether a row names columns, rather than being somebody: then one of its cells would be an address or a number. */
export function isHeader(row: readonly string[]): boolean {
  return !row.some((cell) => isAddress(cell) || isPhoneNumber(cell));
}

/** Whether a cell holds an address. */
export function isAddress(cell: string): boolean {
  return cell.includes('@') && parseAddress(cell) !== null;
}

/** Whether a cell holds what looks like a number with its country. */
export function isPhoneNumber(cell: string): boolean {
  return /^\+[\d\s().-]{7,24}$/.test(cell.trim());
}
