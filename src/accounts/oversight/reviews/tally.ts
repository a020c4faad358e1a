import { sql } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import { firstIdAt } from '../../../platform/ids.ts';
import { type ActionKind, kindOf } from '../reads/action-kinds.ts';
import '../../tables.ts';

const DAY_MS = 86_400_000;

/** Whoever acted. */
export interface ActorRef {
  kind: string;
  id: string;
}

/** What one actor did of one kind in a period. */
export interface Tally {
  actor: ActorRef;
  kind: ActionKind;
  count: number;
  /** By hour of the day, in UTC. */
  hours: number[];
  /** The most records that were read on one day. */
  mostInADay: number;
  /** The actions themselves, by how often. */
  actions: Record<string, number>;
}

interface Row {
  actor_kind: string;
  actor_id: string;
  action: string;
  hour: number;
  count: number;
  records: number;
}

/** What was done in a period that somebody should look at, by actor and kind; a day at a time, so that none reads long. */
export async function tallyPeriod(
  db: Database,
  customerId: number,
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  for (let day = from.getTime(); day < to.getTime(); day += DAY_MS) {
    const span = { from: new Date(day), to: new Date(Math.min(day + DAY_MS, to.getTime())) };
    addDay(tallies, await readDay(db, customerId, span));
  }
  return tallies;
}

/** What a tally is found by. */
export function tallyKey(actor: ActorRef, kind: ActionKind): string {
  return `${actor.kind}/${actor.id}/${kind}`;
}

async function readDay(db: Database, customerId: number, { from, to }: { from: Date; to: Date }): Promise<Row[]> {
  const { rows } = await db.tenant([customerId], (tx) =>
    sql<Row>`
      select actor_kind, actor_id, action, extract(hour from at at time zone 'UTC')::int as hour, count(*)::int as count,
        sum(greatest(1, (
          select sum(jsonb_array_length(value)) from jsonb_each(details)
          where key in ('submissions', 'messages', 'subscribers', 'suppressions') and jsonb_typeof(value) = 'array'
        )))::int as records
      from audit_log
      where customer_id = ${customerId} and id >= ${firstIdAt(from)} and id < ${firstIdAt(to)}
        and action not in ('submission.received', 'message.accepted', 'subscriber.saved')
      group by 1, 2, 3, 4`.execute(tx),
  );
  return rows;
}

function addDay(tallies: Map<string, Tally>, rows: Row[]): void {
  const today = new Map<string, number>();
  for (const row of rows) {
    const kind = kindOf(row.action);
    if (kind === null) continue;
    const actor = { kind: row.actor_kind, id: row.actor_id };
    const key = tallyKey(actor, kind);
    const tally = tallies.get(key) ?? newTally(actor, kind);
    tallies.set(key, tally);
    tally.count += row.count;
    tally.hours[row.hour] = (tally.hours[row.hour] ?? 0) + row.count;
    tally.actions[row.action] = (tally.actions[row.action] ?? 0) + row.count;
    today.set(key, (today.get(key) ?? 0) + row.records);
    tally.mostInADay = Math.max(tally.mostInADay, today.get(key) ?? 0);
  }
}

function newTally(actor: ActorRef, kind: ActionKind): Tally {
  return { actor, kind, count: 0, hours: Array.from({ length: 24 }, () => 0), mostInADay: 0, actions: {} };
}
