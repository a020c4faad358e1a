import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { keyOf } from '../keyset.ts';
import type { Rule } from './rules.ts';

const PAGE = 5_000;

/** Removes a page of a customer's rows that are over, with what goes with them; answers whether there may be more. */
export async function removeOld(
  tx: Tx,
  customerId: number,
  { table, over, beside }: Pick<Rule, 'table' | 'beside'> & { over: RawBuilder<boolean> },
): Promise<boolean> {
  const columns = sql.join((await keyOf(tx, table)).map(({ name }) => sql.ref(name)));
  const { rows } = await sql<{ id: string }>`
    delete from ${sql.table(table)} where customer_id = ${customerId} and (${columns}) in (
      select ${columns} from ${sql.table(table)} where customer_id = ${customerId} and ${over} limit ${PAGE})
    returning ${beside === undefined ? sql`null as id` : sql`id`}`.execute(tx);
  if (beside !== undefined && rows.length > 0) {
    await sql`delete from ${sql.table(beside.table)} where customer_id = ${customerId}
      and ${sql.ref(beside.column)} = any(${rows.map(({ id }) => id)}::uuid[])`.execute(tx);
  }
  return rows.length === PAGE;
}
