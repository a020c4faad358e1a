import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip, Reentry } from '../campaigns/drip.ts';
import type { Versions } from './load-version.ts';
import '../../tables.ts';

/** Somebody who is to enter a drip. */
export interface Entry {
  subscriberId: string;
  at: Date;
  /** The day that a date of theirs falls on, for which they enter once. */
  occasion?: string | null;
}

/**
 * Lets people enter a drip together, each by the version that is theirs; answers the enrolments that this made. Who is
 * not on its list, or was in it before and may not enter again, does not.
 */
export async function enrol(
  tx: Tx,
  { clock, versions }: { clock: Clock; versions: Versions },
  drip: Drip,
  entries: Entry[],
): Promise<{ id: string; subscriber_id: string }[]> {
  const { id: dripId, customer_id: customerId, live_version: live, trial_version: trial } = drip;
  if (live === null || entries.length === 0) return [];
  // One at a time enters people into a drip: how often somebody was in it is counted before they enter.
  await sql`select pg_advisory_xact_lock(hashtext('carepost drip entry'), ${dripId}::int)`.execute(tx);
  const whose = { customerId, dripId };
  const { first } = await versions.of(tx, whose, live);
  const { first: firstOnTrial } = await versions.of(tx, whose, trial ?? live);
  const rows = entries.map(({ subscriberId, at, occasion = null }) => ({ subscriber_id: subscriberId, at, occasion }));
  const isTrial = sql<boolean>`(hashtext(${dripId}::text || '/' || n.subscriber_id) & 2147483647) % 100 < ${drip.trial_share ?? 0}`;
  const { rows: enrolled } = await sql<{ id: string; subscriber_id: string }>`
    insert into drip_enrolments (id, customer_id, drip_id, version, subscriber_id, rotation, occasion, state, step, pauses,
      due_at, entered_at, arrived_at)
    select time_ordered_id(${clock.now()}), ${customerId}, ${dripId},
      case when ${isTrial} then ${trial ?? live}::int else ${live}::int end, n.subscriber_id, n.rotation, n.occasion,
      'active', case when ${isTrial} then ${firstOnTrial} else ${first} end, ${drip.pauses.length}, n.at, n.at, n.at
    from (
      select e.subscriber_id, e.at, e.occasion, coalesce(before.rotations, 0)
        + row_number() over (partition by e.subscriber_id order by e.at) as rotation,
        row_number() over (partition by e.subscriber_id order by e.at) as turn,
        coalesce(before.rotations, 0) as rotations, coalesce(before.active, false) as active
      from json_to_recordset(${JSON.stringify(rows)}::json) as e (subscriber_id uuid, at timestamptz, occasion date)
      join subscribers s on s.customer_id = ${customerId} and s.id = e.subscriber_id and s.unsubscribed_at is null
      join subscriptions c on c.customer_id = ${customerId} and c.subscription_list_id = ${drip.subscription_list_id}
        and c.subscriber_id = e.subscriber_id and c.active
      cross join lateral (
        select max(rotation) as rotations, bool_or(state = 'active') as active from drip_enrolments o
        where o.customer_id = ${customerId} and o.drip_id = ${dripId} and o.subscriber_id = e.subscriber_id) before
      where e.occasion is null or not exists (select from drip_enrolments o where o.customer_id = ${customerId}
        and o.drip_id = ${dripId} and o.subscriber_id = e.subscriber_id and o.occasion = e.occasion)
    ) n
    where ${mayEnter(drip.reentry)}
    order by n.subscriber_id, n.rotation
    on conflict do nothing
    returning id, subscriber_id`.execute(tx);
  return enrolled;
}

/** Who of `n` may enter, by how often they were in the drip before. */
function mayEnter(reentry: Reentry): RawBuilder<boolean> {
  if (reentry === 'always') return sql`true`;
  return reentry === 'never' ? sql`n.rotations = 0 and n.turn = 1` : sql`not n.active and n.turn = 1`;
}
