import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { keyOf } from '../keyset.ts';

const PAGE = 5_000;

/** Removes a page of a customer's rows that are over; answers whether there may be more. */
export async function removeOld(
  tx: Tx,
  customerId: number,
  { table, over }: { table: string; over: RawBuilder<boolean> },
): Promise<boolean> {
  const columns = sql.join((await keyOf(tx, table)).map(({ name }) => sql.ref(name)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where customer_id = ${customerId} and (${columns}) in (
      select ${columns} from ${sql.table(table)} where customer_id = ${customerId} and ${over} limit ${PAGE})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0) === PAGE;
}
