import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import '../../tables.ts';

const TRIES = 10;

/**
 * Lets the sends of steps work on, if they had finished, and holds them so until the transaction ends: none finishes
 * between the look at it and the mails that are added to it.
 */
export async function wakeSends(tx: Tx, clock: Clock, customerId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const sends = ids.toSorted((one, other) => one - other);
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await sql`
      with idle as (
        select id from campaign_mailing_sends where customer_id = ${customerId} and id = any(${sends}::bigint[])
          and state in ('finished', 'needs_decision') order by id for update
      )
      update campaign_mailing_sends s set state = 'sending', finished_at = null, updated_at = ${clock.now()}
      from idle where s.customer_id = ${customerId} and s.id = idle.id`.execute(tx);
    const { rows } = await sql<{ state: string }>`
      select state from campaign_mailing_sends where customer_id = ${customerId} and id = any(${sends}::bigint[])
      order by id for share`.execute(tx);
    if (rows.every(({ state }) => state !== 'finished' && state !== 'needs_decision')) return;
  }
  throw new Error('a send finished each time that it was woken');
}
