import { createReadStream } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import '../tables.ts';

const AT_ONCE = 500;
const MOST_BYTES = 2_000_000;
const NUMBER = /^\{"number":(\d+),/;

interface StoredLine {
  number: number;
  line: string;
}

/**
 * The signed lines of the database and of the file outside it, each once. There is one a minute for as long as the
 * installation lives, so never all at once: both stand in the order of their numbers, and are read side by side.
 */
export async function* checkpointLines(db: Database, file: string): AsyncGenerator<string> {
  const stored = storedCheckpoints(db);
  let next = await stored.next();
  for await (const line of fileLines(file)) {
    const number = Number(NUMBER.exec(line)?.[1] ?? 0);
    while (!next.done && next.value.number < number) {
      yield next.value.line;
      next = await stored.next();
    }
    if (next.done || next.value.line !== line) yield line;
  }
  for (; !next.done; next = await stored.next()) yield next.value.line;
}

/** The signed lines of the database in the order of their numbers; few at once where they are long. */
export async function* storedCheckpoints(db: Database): AsyncGenerator<StoredLine> {
  for (let after: number | null = 0; after !== null; ) {
    const page = await pageOf(db, after);
    yield* page;
    after = page.at(-1)?.number ?? null;
  }
}

/** However long it is, the next line is always among them. */
async function pageOf(db: Database, after: number): Promise<StoredLine[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<StoredLine>`
      select number, line from (
        select number, line, sum(octet_length(line)) over (order by number) - octet_length(line) as bytes_before
        from audit_checkpoints where number > ${after} order by number limit ${AT_ONCE}) p
      where bytes_before < ${MOST_BYTES} order by number`.execute(tx),
  );
  return rows;
}

/** The lines of the file; none where it does not exist yet. The last may still be being written. */
export async function* fileLines(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const piece of createReadStream(file, 'utf8')) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() as string;
      yield* lines;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
