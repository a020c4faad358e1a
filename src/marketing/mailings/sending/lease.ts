import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Send } from './send.ts';
import { standing } from './standing.ts';
import '../../tables.ts';

/** Whoever sends renews the lease meanwhile: one that ran out is that of a process which is gone. */
const LEASE_MS = 3 * 60_000;
/** Whose turn passed longer ago, as the send was paused, gets a new one: all who missed theirs would go together. */
const TURN_LASTS_MS = 60_000;

/** Somebody whose mail is this process's to send until the lease ends, and what is known of them at this moment. */
export interface LeasedPerson {
  id: string;
  subscriber_id: string;
  domain: string;
  attempts: number;
  /** Tells this lease from another one of the same attempt. */
  leased_at: Date;
  /** Whether this is the turn that the pace of the domain gave them. */
  paced: boolean | null;
  first_tried_at: Date;
  /** Null where the person is no longer there, or has no address. */
  email: string | null;
  phone_number: string | null;
  first_name: string | null;
  last_name: string | null;
  time_zone: string | null;
  fields: Record<string, string> | null;
  sealed_fields: Buffer | null;
  exists: boolean;
  opted_out: boolean;
  /** Whether they are on the list that the send goes to, or on any where it goes to none; null where they never were. */
  subscribed: boolean | null;
  list_exists: boolean;
  /** Whether they have yet to confirm that they want to be on it, or on one of theirs. */
  pending: boolean | null;
}

/**
 * Takes people of a send who are due, with what is known of them right now: consent is asked for again at the last
 * moment. They are marked as being sent to before the first word goes out, so that a crash leaves a trace.
 */
export async function leasePeople(tx: Tx, clock: Clock, send: Send, most: number): Promise<LeasedPerson[]> {
  const now = clock.now();
  const { customer_id: customerId, id, subscription_list_id: listId } = send;
  const { rows } = await sql<LeasedPerson>`
    with due as materialized (
      select due_people(${id}, ${now}, ${most}) as id
    ), leased as (
      update mailing_recipients r set state = 'sending', attempts = r.attempts + 1,
        leased_at = ${now}, leased_until = ${new Date(now.getTime() + LEASE_MS)},
        first_tried_at = coalesce(r.first_tried_at, ${now})
      from due where r.id = due.id
      returning r.id, r.subscriber_id, r.domain, r.attempts, r.leased_at,
        r.rule = 'paced' and r.due_at > ${new Date(now.getTime() - TURN_LASTS_MS)} as paced, r.first_tried_at
    )
    select l.*, s.email, s.phone_number, s.first_name, s.last_name, s.time_zone, s.fields, s.sealed_fields,
      s.id is not null as exists, s.unsubscribed_at is not null as opted_out, c.active as subscribed, c.pending,
      exists (select from subscription_lists i where i.customer_id = ${customerId} and i.id = ${listId}) as list_exists
    from leased l
    left join subscribers s on s.customer_id = ${customerId} and s.id = l.subscriber_id
    ${listId === null ? sql`cross join ${standing(customerId, sql`l.subscriber_id`)} c` : onList(customerId, listId)}`.execute(
    tx,
  );
  return rows;
}

function onList(customerId: number, listId: number): RawBuilder<unknown> {
  return sql`left join subscriptions c on c.customer_id = ${customerId} and c.subscription_list_id = ${listId}
    and c.subscriber_id = l.subscriber_id`;
}

/** Keeps people whose mail is being sent from being given up for lost. */
export async function renewLeases(
  { db, clock }: { db: Database; clock: Clock },
  { customer_id: customerId }: Send,
  people: LeasedPerson[],
): Promise<void> {
  if (people.length === 0) return;
  const until = new Date(clock.now().getTime() + LEASE_MS);
  const leases = people.map(({ id, attempts, leased_at }) => ({ id, attempts, leased_at }));
  await db.tenant([customerId], (tx) =>
    sql`
      update mailing_recipients r set leased_until = ${until}
      from json_to_recordset(${JSON.stringify(leases)}) as l (id uuid, attempts smallint, leased_at timestamptz)
      where r.id = l.id and r.attempts = l.attempts and r.leased_at = l.leased_at and r.state = 'sending'`.execute(tx),
  );
}

/** Marks those whose lease ran out as uncertain: whoever was sending to them is gone, and may have sent. */
export async function markUncertain(tx: Tx, clock: Clock, { id, customer_id: customerId }: Send): Promise<void> {
  const now = clock.now();
  await sql`
    with lost as (
      update mailing_recipients set state = 'uncertain', due_at = null, settled_at = ${now}
      where send_id = ${id} and customer_id = ${customerId} and due_at is not null and state = 'sending'
        and leased_until <= ${now}
      returning 1)
    update send_counts set uncertain = uncertain + (select count(*) from lost)
    where customer_id = ${customerId} and send_id = ${id} and exists (select from lost)`.execute(tx);
}
