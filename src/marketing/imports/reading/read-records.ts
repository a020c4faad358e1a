import type { FileForm } from '../import.ts';
import { CsvReader, type CsvRecord } from './csv-reader.ts';
import { decodeCells, textOf, unitOf } from './encoding.ts';

/** One row of a file in words, or why it cannot be read, with the places where the file goes on after it. */
export interface FileRow {
  line: number;
  read: { cells: string[] } | { reason: string };
  bytesDone: number;
  linesDone: number;
}

/** Reads the rows of a file from a place on; blank lines are left out. */
export async function* readRecords(
  form: FileForm,
  pieces: AsyncIterable<Buffer>,
  from: { bytesDone: number; linesDone: number },
): AsyncGenerator<FileRow> {
  const unit = unitOf(form.encoding);
  const reader = new CsvReader(form, { offset: from.bytesDone / unit, line: from.linesDone + 1 });
  const wordsOf = (record: CsvRecord): FileRow => ({
    line: record.line,
    read: readWords(record, form),
    bytesDone: record.end * unit,
    linesDone: record.nextLine - 1,
  });
  for await (const piece of inWholeUnits(pieces, unit)) {
    reader.write(textOf(piece, form.encoding));
    for (let record = reader.next(); record !== null; record = reader.next()) yield wordsOf(record);
  }
  reader.end();
  for (let record = reader.next(); record !== null; record = reader.next()) yield wordsOf(record);
}

function readWords(record: CsvRecord, { encoding }: FileForm): FileRow['read'] {
  if ('reason' in record) return { reason: record.reason };
  const cells = decodeCells(record.cells, record.text, encoding);
  return cells === null ? { reason: `is not ${encoding} text` } : { cells };
}

/** Pieces that end between two characters; a last byte that is half of one is left out. */
async function* inWholeUnits(pieces: AsyncIterable<Buffer>, unit: 1 | 2): AsyncGenerator<Buffer> {
  let odd: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const joined = odd.length === 0 ? piece : Buffer.concat([odd, piece]);
    const even = joined.length - (joined.length % unit);
    odd = joined.subarray(even);
    yield joined.subarray(0, even);
  }
}
