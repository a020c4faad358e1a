import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { readBriefly } from './read-briefly.ts';
import { youngAt } from './waiting-mail.ts';

/** Queues are counted up to here: whoever has more knows that it is a lot. */
const MOST_COUNTED = 50_000;

/** How a queue stands, over all customers. */
export interface QueueState {
  queue: 'messages' | 'mailings' | 'webhooks' | 'drips' | 'jobs';
  /** What waits for its time or is on its way. */
  waiting: number;
  /** Since when the oldest of what could be done now has been due; 0 where nothing is. */
  oldestDueSeconds: number;
}

/** Side jobs that went wrong: some are tried again, some no longer. */
export interface JobTroubles {
  failing: number;
  givenUp: number;
}

interface Deps {
  db: Database;
  /** The database as the worker sees it: the queues of all customers, without content. */
  workerDb: Database;
  clock: Clock;
}

interface Counted {
  waiting: number;
  oldest: Date | null;
}

/** What waits in a queue, and the oldest of each of those who share it, each found first in an index. */
interface Kept {
  waiting: RawBuilder<unknown>;
  oldest: RawBuilder<unknown>;
}

/** Every queue of the installation. */
export async function readQueueStates(
  { db, workerDb, clock }: Deps,
  mostCounted: number = MOST_COUNTED,
): Promise<QueueState[]> {
  const now = clock.now();
  const read = async (queue: QueueState['queue'], { waiting, oldest }: Kept) => {
    const [counted] = await readBriefly(
      workerDb,
      sql<Counted>`
        select (select count(*)::int from (${waiting} limit ${mostCounted}) w) as waiting,
          (select min(due_at) from (${oldest}) o) as oldest`,
    );
    return stateOf(queue, counted, now);
  };
  return [
    await read('messages', messages(now)),
    await read('mailings', mailings(now)),
    await read('webhooks', webhooks()),
    await read('drips', drips()),
    stateOf('jobs', (await readJobs(db, now))[0], now),
  ];
}

/** The first of each customer: after one customer the index leads to the next. */
function messages(now: Date): Kept {
  const firstAfter = (customer: RawBuilder<unknown>) => sql`
    select customer_id, due_at from message_recipients
    where due_at is not null and ${youngAt(now)} and customer_id > ${customer} order by customer_id, due_at limit 1`;
  return {
    waiting: sql`select from message_recipients where due_at is not null`,
    oldest: sql`
      with recursive first as (
        (${firstAfter(sql`-1`)})
        union all
        select n.customer_id, n.due_at from first f cross join lateral (${firstAfter(sql`f.customer_id`)}) n
      ) select due_at from first`,
  };
}

/** The first of each send that goes out, but for those that a worker holds. */
function mailings(now: Date): Kept {
  return {
    waiting: sql`select from mailing_recipients where due_at is not null`,
    oldest: sql`
      select r.due_at from campaign_mailing_sends s cross join lateral (
        select due_at from mailing_recipients
        where send_id = s.id and due_at is not null and coalesce(leased_until <= ${now}, true) order by due_at limit 1) r
      where s.finished_at is null and s.state not in ('paused', 'needs_decision') and s.send_at <= ${now}`,
  };
}

function webhooks(): Kept {
  return {
    waiting: sql`select from webhook_deliveries where due_at is not null`,
    oldest: sql`
      select d.due_at from webhook_endpoints e cross join lateral (
        select due_at from webhook_deliveries where endpoint_id = e.id and due_at is not null order by due_at limit 1) d
      where e.active and e.deleted_at is null`,
  };
}

function drips(): Kept {
  return {
    waiting: sql`
      select from drip_enrolments e join drip_campaigns d on d.id = e.drip_id
      where e.due_at is not null and d.state = 'running'`,
    oldest: sql`
      select e.due_at from drip_campaigns d cross join lateral (
        select due_at from drip_enrolments where drip_id = d.id and due_at is not null order by due_at limit 1) e
      where d.state = 'running'`,
  };
}

/** How many side jobs have gone wrong. */
export async function readJobTroubles({ db, clock }: Deps): Promise<JobTroubles> {
  const [counted] = await readJobs(db, clock.now());
  return { failing: counted?.failing ?? 0, givenUp: counted?.given_up ?? 0 };
}

function readJobs(db: Database, now: Date) {
  return readBriefly(
    db,
    sql<Counted & { failing: number; given_up: number }>`
      select waiting::int, oldest_due_at as oldest, failing::int, given_up::int from count_side_jobs(${now})`,
  );
}

function stateOf(queue: QueueState['queue'], counted: Counted | undefined, now: Date): QueueState {
  const oldest = counted?.oldest ?? null;
  const oldestDueSeconds = oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000);
  return { queue, waiting: counted?.waiting ?? 0, oldestDueSeconds };
}
