import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from './drip.ts';
import '../../tables.ts';

/** Lets the mails of a drip rest, also those about which somebody has yet to decide; what is on its way arrives. */
export async function pauseSends(tx: Tx, clock: Clock, { id, customer_id: customerId }: Drip): Promise<void> {
  await sql`update campaign_mailing_sends set state = 'paused', updated_at = ${clock.now()}
    where customer_id = ${customerId} and drip_id = ${id}
      and state in ('scheduled', 'preparing', 'sending', 'needs_decision')`.execute(tx);
}

/** Lets the mails of a drip go on; what a send has to prepare may have been broken off, and does no harm twice. */
export async function resumeSends(tx: Tx, clock: Clock, { id, customer_id: customerId }: Drip): Promise<void> {
  await sql`update campaign_mailing_sends set updated_at = ${clock.now()},
      state = case when started_at is null then 'scheduled' else 'preparing' end
    where customer_id = ${customerId} and drip_id = ${id} and state = 'paused'`.execute(tx);
}

/** Ends the mails of a drip; the lane takes back those that were still to go, also of a send that had not begun. */
export async function cancelSends(tx: Tx, clock: Clock, { id, customer_id: customerId }: Drip): Promise<void> {
  await sql`update campaign_mailing_sends set state = 'cancelled', updated_at = ${clock.now()}
    where customer_id = ${customerId} and drip_id = ${id}
      and state in ('scheduled', 'preparing', 'sending', 'paused', 'needs_decision')`.execute(tx);
}
