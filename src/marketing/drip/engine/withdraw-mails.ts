import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Leaving } from './traveller.ts';
import '../../tables.ts';

/**
 * For these nothing but the drip itself keeps a mail from leaving: whoever comes back to the list would get what they left.
 * The others are asked about once more before it does.
 */
const BY_THE_DRIP: ReadonlySet<Leaving> = new Set<Leaving>(['goal', 'removed', 'left_list', 'unsubscribed']);

/** Takes back the mails of people who have left that still wait for their turn; what is on its way arrives. */
export async function withdrawMails(
  tx: Tx,
  { customerId, ids, reason, at }: { customerId: number; ids: readonly string[]; reason: Leaving; at: Date },
): Promise<void> {
  if (!BY_THE_DRIP.has(reason) || ids.length === 0) return;
  const { rows } = await sql<{ send_id: number; people: number }>`
    with waiting as (
      select r.id from drip_visits v
      join mailing_recipients r on r.customer_id = ${customerId} and r.id = v.message_id
      where v.customer_id = ${customerId} and v.enrolment_id = any(${ids}::uuid[]) and r.state in ('queued', 'deferred')
      order by r.id for update of r skip locked
    ), withdrawn as (
      update mailing_recipients r set state = 'excluded', rule = 'left_drip', due_at = null, settled_at = ${at}
      from waiting where r.customer_id = ${customerId} and r.id = waiting.id returning r.send_id
    )
    select send_id, count(*) as people from withdrawn group by send_id order by send_id`.execute(tx);
  for (const { send_id: id, people } of rows) {
    await sql`update send_counts set excluded = excluded + ${people}
      where customer_id = ${customerId} and send_id = ${id}`.execute(tx);
  }
}
