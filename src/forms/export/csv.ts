import { csvLine } from '../../platform/csv.ts';
import { type Columns, cellsOf } from './columns.ts';
import type { ExportedSubmission } from './exported-submission.ts';

const PIECE_LENGTH = 64 * 1024;

/** The table as CSV: RFC 4180 in UTF-8 without a byte order mark, made as it is read, in pieces of about 64 KB. */
export async function* writeCsv(
  columns: Columns,
  submissions: AsyncIterable<ExportedSubmission>,
): AsyncGenerator<Buffer, void, undefined> {
  let piece = csvLine(columns.headers);
  for await (const submission of submissions) {
    piece += csvLine(cellsOf(columns, submission));
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}
