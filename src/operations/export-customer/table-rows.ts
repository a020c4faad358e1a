import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { behind, type KeyColumn, keyOf, type Place, placeOf } from '../keyset.ts';
import type { RecordKind } from '../records.ts';
import { type OpenedColumn, openColumn, openedColumns } from './open-row.ts';

const PAGE = 5_000;
/** Sealed rows are large: a page of them shall fit into memory. */
const SEALED_PAGE = 200;

interface Reading {
  customerId: number;
  kind: RecordKind;
  key: KeyColumn[];
  opened: OpenedColumn[];
}

/** The rows of a customer in a table as lines of JSON, opened, page by page in transactions of their own. */
export async function* linesOf(
  { db, keys }: { db: Database; keys: CustomerVault | null },
  customerId: number,
  kind: RecordKind,
): AsyncGenerator<Buffer> {
  const key = await db.untenanted((tx) => keyOf(tx, kind.table));
  const opened = openedColumns(kind.table, kind.without ?? []);
  const reading: Reading = { customerId, kind, key, opened };
  for (let place: Place | null = null; ; ) {
    const rows: Row[] = await db.tenant([customerId], (tx) => readPage(tx, reading, place));
    place = rows.at(-1)?.place ?? null;
    if (place === null) return;
    yield Buffer.from(rows.map((row) => `${JSON.stringify(tell(keys, reading, row))}\n`).join(''));
  }
}

interface Row {
  place: Place;
  /** What the rows of sealed columns are called in the seal, in the order of the columns. */
  names: string[];
  [column: string]: unknown;
}

async function readPage(tx: Tx, { customerId, kind, key, opened }: Reading, place: Place | null): Promise<Row[]> {
  const columns = sql.join(key.map(({ name }) => sql.ref(name)));
  const names = opened.map(({ row }) => sql`(${sql.raw(row)})::text`);
  const limit = opened.length === 0 ? PAGE : SEALED_PAGE;
  const { rows } = await sql<Row>`
    select t.*, ${placeOf(key)} as place, array[${sql.join(names)}]::text[] as names from ${sql.table(kind.table)} t
    where customer_id = ${customerId} and ${behind(key, place)} order by ${columns} limit ${limit}`.execute(tx);
  return rows;
}

/** A row without what is left out; bytes that are nobody's to open are written in base64. */
function tell(keys: CustomerVault | null, { kind, opened }: Reading, { place: _place, names, ...row }: Row): object {
  const left = new Set(kind.without);
  const told = Object.entries(row).filter(([column]) => !left.has(column));
  return Object.fromEntries(
    told.map(([column, value]) => {
      const at = opened.findIndex((each) => each.column === column);
      if (!(value instanceof Buffer)) return [column, value];
      if (at < 0 || keys === null) return [column, value.toString('base64')];
      return [column, openColumn(keys, opened[at] as OpenedColumn, names[at] as string, value)];
    }),
  );
}
