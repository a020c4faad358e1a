import { sql } from 'kysely';
import type { SenderRule } from '../../../email/index.ts';
import type { Act } from '../../../platform/act.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import type { TargetRules } from '../../../platform/net/target-url.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { copyDrip } from '../campaigns/copy.ts';
import type { Drip } from '../campaigns/drip.ts';
import { startDrip } from '../campaigns/start.ts';
import { findVersion } from '../campaigns/version.ts';
import { advanceBatch } from '../engine/advance.ts';
import { enrol } from '../engine/enrol.ts';
import { createVersions } from '../engine/load-version.ts';
import type { Happening } from '../graph/graph.ts';
import { afterSpan } from '../timing/delay.ts';
import { type Guest, gather } from './gather.ts';
import { happen } from './happen.ts';
import { inVain } from './in-vain.ts';
import { type Journey, readJourneys } from './journeys.ts';
import type { Simulation } from './read-simulation.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
import '../../tables.ts';

/** How long the transaction of a trial may live. */
const MOST_MS = 4_000;
const HOUR_MS = 3600_000;

export interface SimulationDeps {
  db: Database;
  keys: CustomerVault;
  act: Act;
  requireOwn: OwnershipCheck;
  targetRules: TargetRules;
  senderRule: SenderRule;
}

export interface Outcome {
  journeys: Journey[];
  /** Whether everybody was led to their end, or to the end of the time that was asked for. */
  isComplete: boolean;
  ranUntil: Date;
}

/** Something that will happen to somebody. */
interface Planned {
  at: Date;
  subscriberId: string;
  happening: Happening;
}

/**
 * Leads people through a drip on a clock of its own, by the engine itself and on the real database, in a transaction
 * that never commits: nothing is sent, nobody is changed, and nobody else sees any of it.
 */
export async function simulate(deps: SimulationDeps, drip: Drip, wanted: Simulation): Promise<Outcome> {
  return inVain(deps.db, drip.customer_id, async (tx) => {
    const endsAt = performance.now() + MOST_MS;
    const clock = createVirtualClock(wanted.startAt);
    const trial = await makeTrial(tx, { ...deps, clock }, drip, wanted);
    const guests = await gather(tx, { ...deps, clock }, trial, wanted);
    const versions = createVersions();
    const entries = guests.map(({ subscriberId }) => ({ subscriberId, at: wanted.startAt }));
    await enrol(tx, { clock, versions }, trial, entries);
    const plan = planOf(wanted, trial, guests);
    const which = { customerId: trial.customer_id, dripId: trial.id };
    for (
      let next = await nextAt(tx, trial, plan);
      next !== null && next <= wanted.until;
      next = await nextAt(tx, trial, plan)
    ) {
      if (performance.now() > endsAt) return outcome(tx, trial, guests, clock, false);
      clock.moveTo(next);
      for (const { subscriberId, happening } of takeDue(plan, clock)) {
        await happen(tx, { ...deps, clock, versions }, trial, subscriberId, happening);
      }
      await advanceBatch(tx, { ...deps, clock, versions }, which);
      plan.push(...(await deliver(tx, clock, trial, wanted)));
    }
    return outcome(tx, trial, guests, clock, true);
  });
}

/** A drip of the same kind and with the steps that are to be tried, which runs from the start. */
async function makeTrial(
  tx: Tx,
  deps: Omit<SimulationDeps, 'db'> & { clock: VirtualClock },
  drip: Drip,
  { version, graph: wantedGraph }: Simulation,
): Promise<Drip> {
  const graph = wantedGraph ?? (await findVersion(tx, drip, version ?? drip.version)).graph;
  if (graph.first === null) throw new AppError('conflict', 'A drip campaign without steps leads nobody anywhere');
  const draft = await copyDrip(tx, { ...deps, mode: 'test' }, drip, graph);
  return startDrip(tx, { ...deps, mode: 'test' }, draft);
}

function planOf({ events, startAt }: Simulation, { time_zone: zone }: Drip, guests: Guest[]): Planned[] {
  return events.flatMap(({ person, after, happening }) => {
    const at = afterSpan(startAt, after, zone);
    const meant = person === null ? guests : guests.slice(person, person + 1);
    return meant.map(({ subscriberId }) => ({ at, subscriberId, happening }));
  });
}

/** When somebody is due or something is planned next. */
async function nextAt(tx: Tx, { id, customer_id: customerId }: Drip, plan: Planned[]): Promise<Date | null> {
  const { rows } = await sql<{ due_at: Date | null }>`
    select min(due_at) as due_at from drip_enrolments where customer_id = ${customerId} and drip_id = ${id}`.execute(
    tx,
  );
  const moments = [...plan.map(({ at }) => at), ...(rows[0]?.due_at ? [rows[0].due_at] : [])];
  return moments.length === 0 ? null : new Date(Math.min(...moments.map((at) => at.getTime())));
}

function takeDue(plan: Planned[], clock: VirtualClock): Planned[] {
  const due = plan.filter(({ at }) => at <= clock.now());
  for (const planned of due) plan.splice(plan.indexOf(planned), 1);
  return due.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** Takes the mails that are meant for delivered, and answers what people are assumed to do with them. */
async function deliver(
  tx: Tx,
  clock: VirtualClock,
  { id, customer_id: customerId }: Drip,
  { opens, clicks }: Simulation,
): Promise<Planned[]> {
  const now = clock.now();
  const { rows } = await sql<{ subscriber_id: string; mailing_id: number }>`
    update mailing_recipients m set state = 'delivered', due_at = null, settled_at = ${now}
    from campaign_mailing_sends s
    where s.customer_id = ${customerId} and s.drip_id = ${id} and m.customer_id = ${customerId} and m.send_id = s.id
      and m.state = 'queued'
    returning m.subscriber_id, m.mailing_id`.execute(tx);
  const assumed = [...(opens ? ['opened' as const] : []), ...(clicks ? ['clicked' as const] : [])];
  return rows.flatMap(({ subscriber_id: subscriberId, mailing_id: mailingId }) =>
    assumed.map((event) => ({
      at: new Date(now.getTime() + HOUR_MS),
      subscriberId,
      happening: { event, campaign_mailing_id: String(mailingId) },
    })),
  );
}

async function outcome(
  tx: Tx,
  trial: Drip,
  guests: Guest[],
  clock: VirtualClock,
  isComplete: boolean,
): Promise<Outcome> {
  return { journeys: await readJourneys(tx, trial, guests), isComplete, ranUntil: clock.now() };
}
