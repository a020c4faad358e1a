import { csvLine } from '../../platform/csv.ts';

const PAGE = 5_000;

/** A row of a report, by the names of its columns. */
export type ReportRow = Record<string, string | number | boolean | readonly string[] | null | undefined>;

/** A report as CSV, made as it is read; rows may lack columns. */
export async function* writeReport(
  columns: readonly string[],
  pages: AsyncIterable<ReportRow[]>,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from(csvLine(columns));
  for await (const rows of pages) {
    const lines = rows.map((row) => csvLine(columns.map((column) => textOf(row[column]))));
    yield Buffer.from(lines.join(''));
  }
}

/** The rows of a report page by page, each read after the last of the one before. */
export async function* pageByPage<Row>(
  read: (last: Row | null, items: number) => Promise<Row[]>,
  describe: (row: Row) => ReportRow,
): AsyncGenerator<ReportRow[], void, undefined> {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await read(last, PAGE);
    yield rows.map(describe);
    if (rows.length < PAGE) return;
    last = rows.at(-1) ?? null;
  }
}

/** Rows that are there already, as the only page. */
export async function* inOnePage(rows: ReportRow[]): AsyncGenerator<ReportRow[], void, undefined> {
  yield rows;
}

function textOf(cell: ReportRow[string]): string {
  if (cell === null || cell === undefined) return '';
  return Array.isArray(cell) ? cell.join(' ') : String(cell);
}
