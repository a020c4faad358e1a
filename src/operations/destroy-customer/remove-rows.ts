import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import { behind, type KeyColumn, keyOf, type Place, placeOf } from '../keyset.ts';

const PAGE = 5_000;

/** Removes all rows of a customer from a table, page by page; each page adds to what the destruction has counted. */
export async function removeRows({ db }: { db: Database }, customerId: number, table: string): Promise<void> {
  const key = await db.untenanted((tx) => keyOf(tx, table));
  let last: Place | null = null;
  do {
    last = await db.tenant([customerId], (tx) => removePage(tx, { customerId, table, key, after: last }));
  } while (last !== null);
}

/** Whether a table has no row of the customer. */
export async function isEmpty(tx: Tx, customerId: number, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where customer_id = ${customerId} limit 1`.execute(tx);
  return rows.length === 0;
}

/** Adds to what a destruction has counted of a table. */
export async function countRemoved(tx: Tx, customerId: number, table: string, removed: number): Promise<void> {
  await sql`
    update customer_destructions
    set counts = counts || jsonb_build_object(${table}::text, coalesce((counts ->> ${table})::bigint, 0) + ${removed})
    where customer_id = ${customerId}`.execute(tx);
}

interface Page {
  customerId: number;
  table: string;
  key: KeyColumn[];
  /** The key of the last row of the page before. */
  after: Place | null;
}

/** Goes on behind the page before rather than from the start: what others have there is not looked at again. */
async function removePage(tx: Tx, { customerId, table, key, after }: Page): Promise<Place | null> {
  const columns = sql.join(key.map(({ name }) => sql.ref(name)));
  const same = key.map(({ name }) => sql`t.${sql.ref(name)} = p.${sql.ref(name)}`);
  const backwards = sql.join(key.map(({ name }) => sql`${sql.ref(name)} desc`));
  const { rows } = await sql<{ removed: number; last: Place | null }>`
    with page as materialized (
      select ${columns} from ${sql.table(table)} where customer_id = ${customerId} and ${behind(key, after)}
      order by ${columns} limit ${PAGE}
    ), gone as (
      delete from ${sql.table(table)} t using page p
      where t.customer_id = ${customerId} and ${sql.join(same, sql` and `)} returning 1
    )
    select (select count(*) from gone) as removed,
      (select ${placeOf(key)} from page order by ${backwards} limit 1) as last`.execute(tx);
  const [page] = rows;
  if (page === undefined || page.removed === 0) return null;
  await countRemoved(tx, customerId, table, page.removed);
  return page.last;
}
