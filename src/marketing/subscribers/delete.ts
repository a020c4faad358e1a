import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** Removes people and what lists know of them; their opt-outs and the evidence of consent stay. */
export async function deleteSubscribers(tx: Tx, customerId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  // People before their subscriptions, as everybody else holds them.
  await tx
    .selectFrom('subscribers')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  await tx
    .deleteFrom('subscriptions')
    .where('customer_id', '=', customerId)
    .where('subscriber_id', 'in', ids)
    .execute();
  await tx.deleteFrom('subscribers').where('customer_id', '=', customerId).where('id', 'in', ids).execute();
}
