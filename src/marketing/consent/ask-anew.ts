import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { CONFIRM_TASK } from './send-confirmation.ts';
import '../tables.ts';

/**
 * Asks somebody whose address changed to confirm what they have yet to confirm. A confirmation leads to the id of the
 * place on the list, so what is not confirmed takes another: the links that the old address has lead nowhere.
 */
export async function askAnew(tx: Tx, customerId: number, subscriberId: string): Promise<void> {
  // The time in an id stays, as the undo of an import looks for places among the ids of its time.
  await sql`
    update subscriptions set id = (left(id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid
    where customer_id = ${customerId} and subscriber_id = ${subscriberId}
      and (pending or unsubscribed_at is not null)`.execute(tx);
  const { rows } = await sql<{ listId: number }>`
    select l.id as "listId" from subscriptions c
    join subscription_lists l on l.customer_id = ${customerId} and l.id = c.subscription_list_id and l.double_opt_in
    where c.customer_id = ${customerId} and c.subscriber_id = ${subscriberId} and c.pending`.execute(tx);
  for (const { listId } of rows) await askToConfirm(tx, { customerId, subscriberId, listId });
}

/** Has somebody mailed once more what they have yet to confirm, unless they were today. */
export async function askToConfirm(
  tx: Tx,
  { customerId, subscriberId, listId }: { customerId: number; subscriberId: string; listId: number },
): Promise<void> {
  await enqueueJob(tx, CONFIRM_TASK, { customerId, subscriberId, listId }, `confirm/${subscriberId}/${listId}`);
}
