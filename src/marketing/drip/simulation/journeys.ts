import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { Guest } from './gather.ts';
import '../../tables.ts';

/** A step that somebody came to on trial, with the mailing that they would get. */
export interface Stop {
  step: string;
  at: Date;
  outcome: string | null;
  campaign_mailing_id: string | null;
  subject: string | null;
}

/** Somebody's way through a drip on trial; null where they would not enter it. */
export interface Journey extends Guest {
  enrolment: { state: string; reason: string | null; step: string; due_at: Date | null; ended_at: Date | null } | null;
  stops: Stop[];
}

/** The ids of those of a trial who are kept as people; somebody made up with the address of one of them is that one. */
export async function knownIn(tx: Tx, customerId: number, journeys: Journey[]): Promise<string[]> {
  const ids = journeys.map(({ subscriberId }) => subscriberId);
  const kept = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return kept.map(({ id }) => id);
}

interface Enrolled {
  id: string;
  subscriber_id: string;
  state: string;
  reason: string | null;
  step: string;
  due_at: Date | null;
  ended_at: Date | null;
}

/** How far everybody got, and by which way. */
export async function readJourneys(tx: Tx, drip: Drip, guests: Guest[]): Promise<Journey[]> {
  const { customer_id: customerId, id: dripId } = drip;
  const { rows: enrolments } = await sql<Enrolled>`
    select id, subscriber_id, state, reason, step, due_at, ended_at from drip_enrolments
    where customer_id = ${customerId} and drip_id = ${dripId}`.execute(tx);
  const { rows: stops } = await sql<Stop & { enrolment_id: string }>`
    select v.enrolment_id, v.step, v.at, v.outcome, m.mailing_id::text as campaign_mailing_id,
      coalesce(s.subject, w.default_subject, c.subject) as subject
    from drip_visits v
    left join mailing_recipients m on m.customer_id = ${customerId} and m.id = v.message_id and m.rule is null
    left join campaign_mailing_sends s on s.customer_id = ${customerId} and s.id = m.send_id
    left join mailing_versions w on w.customer_id = ${customerId} and w.mailing_id = s.mailing_id and w.version = s.version
    left join campaign_mailings c on c.customer_id = ${customerId} and c.id = m.mailing_id
    where v.customer_id = ${customerId} and v.enrolment_id = any(${enrolments.map(({ id }) => id)}::uuid[])
    order by v.number`.execute(tx);
  const stopsOf = Map.groupBy(stops, (stop) => stop.enrolment_id);
  const byPerson = new Map(enrolments.map((enrolment) => [enrolment.subscriber_id, enrolment]));
  return guests.map((guest) => {
    const found = byPerson.get(guest.subscriberId);
    return { ...guest, enrolment: found ?? null, stops: found === undefined ? [] : (stopsOf.get(found.id) ?? []) };
  });
}
