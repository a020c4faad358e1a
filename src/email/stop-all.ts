import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import './tables.ts';

/** Takes back the messages of a customer that have not begun to leave, and switches its webhooks off. Answers how many. */
export async function stopAllMail(
  tx: Tx,
  clock: Clock,
  customerId: number,
): Promise<{ scheduled: number; webhooks: number }> {
  const now = clock.now();
  const { rows } = await sql<{ message_id: string }>`
    with stopped as (
      update message_recipients set state = 'cancelled', due_at = null, settled_at = ${now}, parked = false
      where customer_id = ${customerId} and due_at > ${now} and state = 'queued' and attempts = 0
        and exists (select from scheduled_messages s
          where s.customer_id = ${customerId} and s.message_id = message_recipients.message_id)
      returning message_id
    )
    update scheduled_messages set cancelled_at = ${now}
    where customer_id = ${customerId} and message_id in (select message_id from stopped)
    returning message_id`.execute(tx);
  const { numUpdatedRows: webhooks } = await tx
    .updateTable('webhook_endpoints')
    .set({ active: false, updated_at: now })
    .where('customer_id', '=', customerId)
    .where('active', '=', true)
    .executeTakeFirst();
  return { scheduled: rows.length, webhooks: Number(webhooks) };
}
