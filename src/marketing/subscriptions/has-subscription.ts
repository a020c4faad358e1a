import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** Whether whoever has an address is, or was, on a list. */
export async function hasSubscription(
  tx: Tx,
  { customerId, listId, email }: { customerId: number; listId: number; email: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select c.id from find_people(${customerId}, array[0], array[${email}::text], array[null::text]) p
    join subscriptions c on c.customer_id = ${customerId} and c.subscriber_id = p.id
      and c.subscription_list_id = ${listId}`.execute(tx);
  return rows.length > 0;
}
