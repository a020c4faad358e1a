import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { markUncertain } from './lease.ts';
import type { Send } from './send.ts';
import '../../tables.ts';

/**
 * Ends a send once every row of its ledger has an end state. Where somebody has to say what to do about mails that may
 * or may not have arrived, it waits for that.
 */
export async function finishIfDone({ db, clock }: { db: Database; clock: Clock }, send: Send): Promise<void> {
  const { id, customer_id: customerId } = send;
  const now = clock.now();
  await db.tenant([customerId], async (tx) => {
    // A drip adds people at any time: who does so holds it, and who comes after this waits and finds it finished.
    const { rows } = await sql`
      select from campaign_mailing_sends where customer_id = ${customerId} and id = ${id}
      for update skip locked`.execute(tx);
    if (rows.length === 0) return;
    await markUncertain(tx, clock, send);
    await sql`
      update campaign_mailing_sends s set
        state = case when c.uncertain > 0 then 'needs_decision' else 'finished' end,
        finished_at = case when c.uncertain > 0 then null else ${now}::timestamptz end, updated_at = ${now}
      from send_counts c
      where s.id = ${id} and s.customer_id = ${customerId} and s.state = 'sending' and c.customer_id = s.customer_id
        and c.send_id = s.id and not exists (
          select from mailing_recipients r where r.send_id = ${id} and r.due_at is not null)`.execute(tx);
    await sql`delete from domain_paces where send_id = ${id} and exists (
      select from campaign_mailing_sends s where s.id = ${id} and s.state = 'finished')`.execute(tx);
  });
}
