import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';

const MINUTE_MS = 60_000;
/** What has been due for longer than this is late. */
const LATE_MS = 5 * MINUTE_MS;
/** Queues are counted up to here: whoever has more knows that it is a lot. */
const MOST_COUNTED = 100_000;

/** How a queue stands. Nothing in it says whose work it is or what it holds. */
export interface Queue {
  name: 'messages' | 'mailings' | 'webhooks' | 'drips' | 'jobs';
  /** What waits for its time or is on its way. */
  waiting: number;
  due: number;
  /** What a worker holds just now; null where that cannot be told from what waits. */
  held: number | null;
  late: number;
  /** Since when the oldest of what is due waits. */
  oldestDueAt: Date | null;
  /** Whether there is more than is counted. */
  more: boolean;
}

interface Deps {
  db: Database;
  /** The database as the worker sees it: the queues of all customers, without content. */
  workerDb: Database;
  clock: Clock;
}

interface Counted {
  waiting: number;
  due: number;
  held: number | null;
  late: number;
  oldest: Date | null;
}

/** Counts what waits in every queue of the installation. */
export async function readQueues({ db, workerDb, clock }: Deps): Promise<Queue[]> {
  const now = clock.now();
  const lateBefore = new Date(now.getTime() - LATE_MS);
  const count = async (name: Queue['name'], rows: ReturnType<typeof sql>): Promise<Queue> => {
    const { rows: counted } = await workerDb.untenanted((tx) =>
      sql<Counted>`
        select count(*)::int as waiting,
          count(*) filter (where q.due_at <= ${now} and not coalesce(q.held, false))::int as due,
          case when bool_or(q.held is not null) then count(*) filter (where q.held)::int end as held,
          count(*) filter (where q.due_at < ${lateBefore} and not coalesce(q.held, false))::int as late,
          min(q.due_at) filter (where q.due_at <= ${now} and not coalesce(q.held, false)) as oldest
        from (select * from (${rows}) w limit ${MOST_COUNTED + 1}) q`.execute(tx),
    );
    const { oldest, ...counts } = counted[0] as Counted;
    return { name, ...counts, oldestDueAt: oldest, more: counts.waiting > MOST_COUNTED };
  };
  return [
    await count('messages', sql`select due_at, null::boolean as held from message_recipients where due_at is not null`),
    await count(
      'mailings',
      sql`select due_at, coalesce(leased_until > ${now}, false) as held from mailing_recipients where due_at is not null`,
    ),
    await count('webhooks', sql`select due_at, null::boolean as held from webhook_deliveries where due_at is not null`),
    await count(
      'drips',
      sql`select e.due_at, null::boolean as held from drip_enrolments e join drip_campaigns d on d.id = e.drip_id
        where e.due_at is not null and d.state = 'running'`,
    ),
    await countJobs(db, now, lateBefore),
  ];
}

async function countJobs(db: Database, now: Date, lateBefore: Date): Promise<Queue> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ waiting: number; due: number; running: number; late: number; oldest_due_at: Date | null }>`
      select waiting::int, due::int, running::int, oldest_due_at,
        (select due::int from count_side_jobs(${lateBefore})) as late from count_side_jobs(${now})`.execute(tx),
  );
  const counted = rows[0];
  return {
    name: 'jobs',
    waiting: counted?.waiting ?? 0,
    due: counted?.due ?? 0,
    held: counted?.running ?? 0,
    late: counted?.late ?? 0,
    oldestDueAt: counted?.oldest_due_at ?? null,
    more: false,
  };
}
