import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { type Drip, selectDrips } from '../campaigns/drip.ts';
import { isMeant } from '../interest.ts';
import type { FactDeps } from './facts.ts';
import { leave } from './leave.ts';
import { leavingFor } from './leaving.ts';
import type { Leaving } from './traveller.ts';
import '../../tables.ts';

export interface Happened {
  customerId: number;
  kind: string;
  subject: string;
  /** The only drip that it concerns, in a trial of one. */
  dripId?: number;
}

interface Person {
  subscriber_id: string;
  /** When it happened to them. */
  at?: Date;
}

interface Active {
  id: string;
  drip_id: number;
  version: number;
  subscriber_id: string;
  step: string;
  inside: boolean;
  woken: boolean;
  entered_at: Date;
}

/** The enrolments of people who are on their way, held until the transaction ends; whoever advances them is waited for. */
export async function holdActive(tx: Tx, customerId: number, people: Person[], dripId?: number): Promise<Active[]> {
  const ids = [...new Set(people.map(({ subscriber_id: id }) => id))];
  const { rows } = await sql<Active>`
    select id, drip_id, version, subscriber_id, step, inside, woken, entered_at from drip_enrolments
    where customer_id = ${customerId} and subscriber_id = any(${ids}::uuid[]) and state = 'active'
      and (${dripId ?? null}::bigint is null or drip_id = ${dripId ?? null})
    order by id for update`.execute(tx);
  return rows;
}

/** Lets people leave drips by what happened to them, or go on who waited for it. */
export async function react(tx: Tx, deps: FactDeps, happened: Happened, people: Person[]): Promise<void> {
  const { customerId } = happened;
  const active = await holdActive(tx, customerId, people, happened.dripId);
  if (active.length === 0) return;
  const drips = await dripsOf(tx, customerId, active);
  const times = new Map(people.map(({ subscriber_id: id, at }) => [id, at]));
  const woken: string[] = [];
  const leaving = new Map<Leaving, string[]>();
  for (const enrolment of active) {
    const drip = drips.get(enrolment.drip_id) as Drip;
    const reason = reasonToLeave(drip, happened);
    if (reason !== null) leaving.set(reason, [...(leaving.get(reason) ?? []), enrolment.id]);
    else if (await waitsFor(tx, deps, enrolment, { ...happened, at: times.get(enrolment.subscriber_id) })) {
      woken.push(enrolment.id);
    }
  }
  const now = deps.clock.now();
  for (const [reason, ids] of leaving) await leave(tx, { customerId, ids, reason, at: now });
  if (woken.length > 0) {
    await sql`update drip_enrolments set woken = true, due_at = ${now}
      where customer_id = ${customerId} and id = any(${woken}::uuid[])`.execute(tx);
  }
}

async function dripsOf(tx: Tx, customerId: number, active: Active[]): Promise<Map<number, Drip>> {
  const ids = [...new Set(active.map(({ drip_id: id }) => id))];
  const drips = await selectDrips(tx).where('customer_id', '=', customerId).where('id', 'in', ids).execute();
  return new Map(drips.map((drip) => [drip.id, drip]));
}

function reasonToLeave(drip: Drip, { kind, subject }: Happened): Leaving | null {
  if (kind === 'left' && subject === String(drip.subscription_list_id)) return 'left_list';
  if (kind === 'opted_out') return 'unsubscribed';
  if (kind === 'deleted') return 'deleted';
  if (kind === 'suppressed') return leavingFor(subject.slice(subject.indexOf('/') + 1));
  const isGoal = drip.goal !== null && 'happening' in drip.goal && isMeant(drip.goal.happening, { kind, subject });
  return isGoal ? 'goal' : null;
}

/** Whether somebody waits for it. Who is only about to is meant as well, but not by what they entered by. */
async function waitsFor(
  tx: Tx,
  { versions }: FactDeps,
  { drip_id: dripId, version, step, inside, woken, entered_at: enteredAt }: Active,
  { customerId, kind, subject, at }: Happened & { at: Date | undefined },
): Promise<boolean> {
  const isThere = inside || (at !== undefined && at > enteredAt);
  if (!isThere || woken) return false;
  const node = (await versions.of(tx, { customerId, dripId }, version)).nodes.get(step);
  return node?.type === 'wait' && isMeant(node.for, { kind, subject });
}
