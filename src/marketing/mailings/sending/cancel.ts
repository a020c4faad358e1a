import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { markUncertain } from './lease.ts';
import type { Send } from './send.ts';
import '../../tables.ts';

const PAGE = 10_000;

/** Ends the rows of a cancelled send that were still to go, page by page; answers how many that were. */
export async function cancelPage(tx: Tx, clock: Clock, send: Send): Promise<number> {
  const { id, customer_id: customerId } = send;
  const now = clock.now();
  const { rows } = await sql<{ ended: number }>`
    with open as (
      select id from mailing_recipients where send_id = ${id} and due_at is not null and state in ('queued', 'deferred')
      limit ${PAGE} for update skip locked
    ), ended as (
      update mailing_recipients r set state = 'cancelled', rule = null, due_at = null, settled_at = ${now}
      from open where r.id = open.id returning 1
    ), counted as (
      update send_counts set cancelled = cancelled + (select count(*) from ended)
      where customer_id = ${customerId} and send_id = ${id} and exists (select from ended)
    )
    select count(*) as ended from ended`.execute(tx);
  const ended = rows[0]?.ended ?? 0;
  if (ended === 0) {
    // Before its mails, in the order of whoever finishes it at the same moment.
    await sql`select from campaign_mailing_sends where id = ${id} for update`.execute(tx);
    await markUncertain(tx, clock, send);
    await sql`update campaign_mailing_sends set finished_at = ${now} where id = ${id} and finished_at is null
      and not exists (select from mailing_recipients where send_id = ${id} and due_at is not null)`.execute(tx);
  }
  return ended;
}
