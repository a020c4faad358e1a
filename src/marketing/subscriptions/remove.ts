import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { JOINED_BY_IMPORT } from '../consent/joined-by-import.ts';
import '../tables.ts';

/**
 * Removes places on lists and answers how many. Whom an import put on one is told by that place alone: from then on their
 * consent tells it.
 */
export async function removeSubscriptions(
  tx: Tx,
  clock: Clock,
  customerId: number,
  which: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from subscriptions where customer_id = ${customerId} and ${which}
      returning subscriber_id, subscription_list_id, import_id, consent_text_id, created_at
    ), told as (
      insert into consent_changes (id, customer_id, subscriber_id, subscription_list_id, change, source, evidence, at)
      select time_ordered_id(${clock.now()}), ${customerId}, subscriber_id, subscription_list_id, 'joined', 'import',
        ${JOINED_BY_IMPORT}, created_at
      from removed where import_id is not null
    )
    select count(*) as removed from removed`.execute(tx);
  return rows[0]?.removed ?? 0;
}
