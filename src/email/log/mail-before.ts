import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

const PAGE = 1000;

/** A page of the messages that were there before an id, after the last of the page before. */
export async function messagesBefore(
  tx: Tx,
  customerId: number,
  { before, after }: { before: string; after: string | null },
): Promise<string[]> {
  let page = tx
    .selectFrom('messages')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '<', before)
    .orderBy('id')
    .limit(PAGE);
  if (after !== null) page = page.where('id', '>', after);
  return (await page.execute()).map(({ id }) => id);
}

/** A page of the suppressions that were there at a moment, by the names under which the audit log has them. */
export async function suppressionsAt(
  tx: Tx,
  customerId: number,
  { at, after }: { at: Date; after: string | null },
): Promise<string[]> {
  const [index = '', reason = ''] = after?.split('.') ?? [];
  const { rows } = await sql<{ name: string }>`
    select encode(address_index, 'hex') || '.' || reason as name from suppressions
    where customer_id = ${customerId} and created_at <= ${at}
      and (address_index, reason) > (decode(${index}, 'hex'), ${reason})
    order by address_index, reason limit ${PAGE}`.execute(tx);
  return rows.map(({ name }) => name);
}
