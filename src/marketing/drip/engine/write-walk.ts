import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { LoadedVersion } from './load-version.ts';
import { wakeSends } from './wake-sends.ts';
import type { Walk } from './walk.ts';
import { writeVisits } from './write-visits.ts';
import '../../tables.ts';

/** Writes where people stand, what they came by and the mails that it meant; answers how many mails. */
export async function writeWalk(
  tx: Tx,
  clock: Clock,
  drip: Drip,
  version: LoadedVersion,
  walked: Walk,
): Promise<number> {
  const sends = new Set(walked.visits.flatMap(({ mail }) => mail?.sendId ?? []));
  await wakeSends(tx, clock, drip.customer_id, [...sends]);
  await writeOutcomes(tx, drip, walked);
  const mails = await writeVisits(tx, clock, drip, version, walked.visits);
  await writeStandings(tx, clock, drip, walked);
  await countPassed(tx, drip, version, walked);
  return mails;
}

/** What came of waiting is known only now; the last visit so far is the one that is over. */
async function writeOutcomes(tx: Tx, { customer_id: customerId }: Drip, { outcomes }: Walk): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(({ enrolmentId, step, outcome }) => ({ enrolment_id: enrolmentId, step, outcome }));
  await sql`
    update drip_visits v set outcome = o.outcome
    from json_to_recordset(${JSON.stringify(rows)}::json) as o (enrolment_id uuid, step text, outcome text)
    where v.customer_id = ${customerId} and v.enrolment_id = o.enrolment_id and v.step = o.step
      and v.visit = (select max(visit) from drip_visits l where l.customer_id = ${customerId}
        and l.enrolment_id = o.enrolment_id and l.step = o.step)`.execute(tx);
}

async function writeStandings(tx: Tx, clock: Clock, drip: Drip, { standings }: Walk): Promise<void> {
  const now = clock.now();
  const rows = standings.map(({ person, state, reason, step, inside, dueAt, pauses }) => ({
    id: person.id,
    state,
    reason,
    step,
    inside,
    due_at: dueAt,
    pauses,
    moved: step !== person.step || inside !== person.inside,
  }));
  await sql`
    update drip_enrolments e set state = n.state, reason = n.reason, step = n.step, inside = n.inside, woken = false,
      due_at = n.due_at, pauses = n.pauses, arrived_at = case when n.moved then ${now} else e.arrived_at end,
      ended_at = case when n.state <> 'active' then ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (id uuid, state text, reason text, step text,
      inside boolean, due_at timestamptz, pauses smallint, moved boolean)
    where e.customer_id = ${drip.customer_id} and e.id = n.id`.execute(tx);
}

async function countPassed(tx: Tx, drip: Drip, { version }: LoadedVersion, { passed }: Walk): Promise<void> {
  if (passed.size === 0) return;
  const rows = [...passed].map(([step, people]) => ({ step, people }));
  await sql`
    insert into drip_step_counts as c (drip_id, version, step, shard, customer_id, passed)
    select ${drip.id}, ${version}, n.step, pg_backend_pid() % 16, ${drip.customer_id}, n.people
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (step text, people bigint) order by n.step
    on conflict (drip_id, version, step, shard) do update set passed = c.passed + excluded.passed`.execute(tx);
}
