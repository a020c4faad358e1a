import type { CheckRow } from './check-row.ts';
import type { FileRow } from './reading/read-records.ts';
import type { ImportRow } from './row.ts';

export interface Reject {
  line: number;
  reasons: string[];
}

const MOST_ROWS = 1_000;
const MOST_CHARACTERS = 8 * 2 ** 20;

/** The rows of a file that are written together, and what was refused. */
export class Chunk {
  readonly taken: ImportRow[] = [];
  readonly rejects: Reject[] = [];
  #characters = 0;
  /** How many rows it stands for. */
  rows = 0;
  bytesDone = 0;
  linesDone = 0;

  get isFull(): boolean {
    return this.rows >= MOST_ROWS || this.#characters >= MOST_CHARACTERS;
  }

  add({ line, read, bytesDone, linesDone }: FileRow, check: CheckRow): void {
    this.#characters += bytesDone - (this.bytesDone || bytesDone);
    this.rows += 1;
    this.bytesDone = bytesDone;
    this.linesDone = linesDone;
    const checked = 'reason' in read ? { reasons: [read.reason] } : check(line, read.cells);
    if ('row' in checked) this.taken.push(checked.row);
    else this.rejects.push({ line, reasons: checked.reasons });
  }
}

/** The rows of a file in chunks; the last may be smaller. */
export async function* inChunks(rows: AsyncIterable<FileRow>, check: CheckRow): AsyncGenerator<Chunk> {
  let chunk = new Chunk();
  for await (const row of rows) {
    chunk.add(row, check);
    if (!chunk.isFull) continue;
    yield chunk;
    chunk = new Chunk();
  }
  if (chunk.rows > 0) yield chunk;
}
