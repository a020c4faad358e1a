import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Drip, selectDrips } from '../campaigns/drip.ts';
import { holdTogether } from '../campaigns/hold.ts';
import type { Traveller } from './traveller.ts';
import '../../tables.ts';

const BATCH = 500;

interface Which {
  customerId: number;
  dripId: number;
}

/** A drip that is running, which it stays until the transaction ends: whoever pauses it waits for that. */
export async function holdRunning(tx: Tx, { customerId, dripId }: Which): Promise<Drip | null> {
  await holdTogether(tx, [dripId]);
  const found = await selectDrips(tx)
    .where('customer_id', '=', customerId)
    .where('id', '=', dripId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return found ?? null;
}

/** Takes people of a drip who are due, until the transaction ends, with what is known of them right now. */
export async function claimDue(tx: Tx, clock: Clock, drip: Drip): Promise<Traveller[]> {
  const { customer_id: customerId, subscription_list_id: listId } = drip;
  const { rows } = await sql<Traveller>`
    with due as materialized (
      select id, subscriber_id, version, step, inside, woken, due_at, pauses, entered_at from drip_enrolments
      where customer_id = ${customerId} and drip_id = ${drip.id} and due_at <= ${clock.now()}
      order by due_at limit ${BATCH} for update skip locked
    )
    select due.*, s.id is not null as exists, s.email, s.time_zone, s.unsubscribed_at is not null as opted_out,
      c.active as subscribed
    from due
    left join lateral (select * from subscribers s where s.customer_id = ${customerId} and s.id = due.subscriber_id
      offset 0) s on true
    left join lateral (select active from subscriptions c where c.customer_id = ${customerId}
      and c.subscription_list_id = ${listId} and c.subscriber_id = due.subscriber_id offset 0) c on true
    order by due.due_at`.execute(tx);
  return rows;
}
