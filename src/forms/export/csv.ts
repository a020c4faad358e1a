import { writeRows } from '../../platform/csv.ts';
import { type Columns, cellsOf } from './columns.ts';
import type { ExportedSubmission } from './exported-submission.ts';

/** The table as CSV: RFC 4180 in UTF-8 without a byte order mark, made as it is read, in pieces of about 64 KB. */
export function writeCsv(
  columns: Columns,
  submissions: AsyncIterable<ExportedSubmission>,
): AsyncGenerator<Buffer, void, undefined> {
  return writeRows(columns.headers, rowsOf(columns, submissions));
}

/** The cells of one submission after the other. */
export async function* rowsOf(
  columns: Columns,
  submissions: AsyncIterable<ExportedSubmission>,
): AsyncGenerator<string[], void, undefined> {
  for await (const submission of submissions) yield cellsOf(columns, submission);
}
