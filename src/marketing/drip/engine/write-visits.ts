import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { LoadedVersion } from './load-version.ts';
import type { Visit } from './walk.ts';
import '../../tables.ts';

/** The side job that calls the address of a webhook step. */
export const CALL_WEBHOOK = 'marketing.drip_webhook';

interface NumberedVisit extends Visit {
  visit: number;
}

/**
 * Writes the steps that people came to, with the mails and calls that they mean, and answers how many mails. Whoever
 * has come to a step before, by the same number, gets nothing of it again.
 */
export async function writeVisits(
  tx: Tx,
  clock: Clock,
  drip: Drip,
  version: LoadedVersion,
  visits: Visit[],
): Promise<number> {
  if (visits.length === 0) return 0;
  const { customer_id: customerId } = drip;
  const now = clock.now();
  const numbered = await numberVisits(tx, drip, version, visits);
  const rows = numbered.map((visit) => rowOf(clock, visit));
  const { rows: sends } = await sql<{ send_id: number | null; people: number; excluded: number }>`
    with come as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as v (enrolment_id uuid, subscriber_id uuid, step text,
        visit int, at timestamptz, outcome text, calls boolean, message_id uuid, send_id bigint, mailing_id bigint,
        domain text, rule text)
    ), noted as (
      insert into drip_visits (enrolment_id, step, visit, customer_id, at, outcome, message_id)
      select enrolment_id, step, visit, ${customerId}, at, outcome, message_id from come
      on conflict do nothing returning enrolment_id, step, visit
    ), meant as (
      select come.* from come join noted using (enrolment_id, step, visit)
    ), written as (
      insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state, rule, due_at,
        settled_at)
      select message_id, ${customerId}, send_id, mailing_id, subscriber_id, domain,
        case when rule is null then 'queued' else 'excluded' end, rule,
        case when rule is null then ${now}::timestamptz end, case when rule is not null then ${now}::timestamptz end
      from meant where message_id is not null
      returning send_id, rule
    )
    select send_id, count(*) as people, count(rule) as excluded from written group by send_id
    union all
    select null, count(enqueue_job_in_turn(${CALL_WEBHOOK}, json_build_object('customerId', ${customerId}::int, 'dripId',
      ${drip.id}::bigint, 'version', ${version.version}::int, 'enrolmentId', enrolment_id, 'step', step, 'visit', visit),
      format('drip/%s/%s/%s', enrolment_id, step, visit), ${`drip/${drip.id}`})), 0 from meant where calls`.execute(tx);
  return countMails(tx, customerId, sends);
}

/** Numbers how often somebody came to a step. Only in a loop can that be more than once; all else has one number. */
async function numberVisits(tx: Tx, drip: Drip, { loops }: LoadedVersion, visits: Visit[]): Promise<NumberedVisit[]> {
  const repeated = visits.filter(({ step }) => loops.has(step));
  if (repeated.length === 0) return visits.map((visit) => ({ ...visit, visit: 1 }));
  const ids = [...new Set(repeated.map(({ enrolmentId }) => enrolmentId))];
  const { rows } = await sql<{ key: string; last: number }>`
    select enrolment_id || '/' || step as key, max(visit) as last from drip_visits
    where customer_id = ${drip.customer_id} and enrolment_id = any(${ids}::uuid[]) and step = any(${[...loops]}::text[])
    group by 1`.execute(tx);
  const last = new Map(rows.map((row) => [row.key, row.last]));
  return visits.map((visit) => {
    if (!loops.has(visit.step)) return { ...visit, visit: 1 };
    const key = `${visit.enrolmentId}/${visit.step}`;
    const number = (last.get(key) ?? 0) + 1;
    last.set(key, number);
    return { ...visit, visit: number };
  });
}

function rowOf(clock: Clock, { enrolmentId, subscriberId, step, visit, at, outcome, mail, calls }: NumberedVisit) {
  const row = { enrolment_id: enrolmentId, subscriber_id: subscriberId, step, visit, at, outcome, calls };
  if (mail === null) return row;
  const { sendId, mailingId, domain, rule } = mail;
  return { ...row, message_id: timeOrderedId(clock), send_id: sendId, mailing_id: mailingId, domain, rule };
}

/** In one order, as others count on the same sends. */
async function countMails(
  tx: Tx,
  customerId: number,
  sends: { send_id: number | null; people: number; excluded: number }[],
): Promise<number> {
  let mails = 0;
  for (const { send_id: id, people, excluded } of sends.toSorted(
    (one, other) => Number(one.send_id) - Number(other.send_id),
  )) {
    if (id === null) continue;
    mails += people - excluded;
    await sql`update send_counts set people = people + ${people}, excluded = excluded + ${excluded}
      where customer_id = ${customerId} and send_id = ${id}`.execute(tx);
  }
  return mails;
}
