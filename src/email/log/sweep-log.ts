import { sql } from 'kysely';
import { notHeld, shareHolds } from '../../accounts/index.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { peopleOfMessage } from './people-of-message.ts';
import '../tables.ts';

const PAGE = 1_000;
/** What is known of a message, by the id of the message. */
const BESIDE = [
  'message_links',
  'message_engagement',
  'link_clicks',
  'message_events',
  'message_reports',
  'delivery_attempts',
  'scheduled_messages',
  'pickups',
  'message_recipients',
];

/**
 * Removes all that is known of a customer's messages that came before a time, have nothing left to deliver, no content
 * any more, and are not held. Run as the worker role.
 */
export async function sweepLog({ db }: { db: Database }, customerId: number, before: Date): Promise<number> {
  let removed = 0;
  for (let page = PAGE; page === PAGE; removed += page) {
    page = await db.tenant([customerId], (tx) => removePage(tx, customerId, before));
  }
  return removed;
}

async function removePage(tx: Tx, customerId: number, before: Date): Promise<number> {
  await shareHolds(tx, customerId);
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m where m.customer_id = ${customerId} and m.id < ${firstIdAt(before)}::uuid
      and not exists (select from message_contents c where c.customer_id = ${customerId} and c.id = m.id)
      and not exists (select from message_recipients r where r.customer_id = ${customerId} and r.message_id = m.id
        and (r.due_at is not null or r.state = 'noticed'))
      and ${notHeld(customerId, sql`array[m.id]`, peopleOfMessage(customerId, sql.ref('m.id')))}
    order by m.id limit ${PAGE}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const table of BESIDE) {
    await sql`delete from ${sql.table(table)} where customer_id = ${customerId} and message_id = any(${ids}::uuid[])`.execute(
      tx,
    );
  }
  await sql`delete from messages where customer_id = ${customerId} and id = any(${ids}::uuid[])`.execute(tx);
  return ids.length;
}
