/** The beginning of a CSV file, as far as a person needs it to say what the columns hold. */
export interface CsvHead {
  delimiter: string;
  /** The first rows, the header among them where there is one. */
  rows: string[][];
  hasHeader: boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
const HEAD_BYTES = 65_536;
const MOST_ROWS = 6;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE_NUMBER = /^\+?[\d\s().-]{7,20}$/;

/** Reads the beginning of a file; the rest of it stays on the disk. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return new TextDecoder(encodingOf(bytes, file.size > HEAD_BYTES)).decode(bytes);
}

/** Parts the beginning of a file into rows, by what stands between columns: as it is said, or as it looks. */
export function readHead(text: string, said: { delimiter?: string; hasHeader?: boolean } = {}): CsvHead | null {
  const delimiter = said.delimiter ?? likeliestDelimiter(text);
  const rows = rowsOf(text, delimiter).filter((row) => row.some((cell) => cell.trim() !== ''));
  const [first] = rows;
  if (first === undefined) return null;
  const hasHeader =
    said.hasHeader ?? !first.some((cell) => ADDRESS.test(cell.trim()) || PHONE_NUMBER.test(cell.trim()));
  return { delimiter, rows: rows.slice(0, MOST_ROWS), hasHeader };
}

function encodingOf(bytes: Uint8Array, isCut: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    // A character may be cut in two at the end; a stream waits for the rest of it.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The one that parts the first row into the most columns. */
function likeliestDelimiter(text: string): string {
  const columns = DELIMITERS.map((delimiter) => rowsOf(text, delimiter)[0]?.length ?? 0);
  return DELIMITERS[columns.indexOf(Math.max(...columns))] ?? ',';
}

/** The first rows of a text; quotes may hold delimiters, line ends and doubled quotes. */
function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length && rows.length < MOST_ROWS + 1; at += 1) {
    const character = text[at] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === delimiter) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at += 1;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else cell += character;
  }
  if (rows.length <= MOST_ROWS && (cell !== '' || row.length > 0)) rows.push([...row, cell]);
  return rows;
}
