import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { readBriefly } from './read-briefly.ts';

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

/** Every queue of the installation. */
export async function readQueueStates({ db, workerDb, clock }: Deps): Promise<QueueState[]> {
  const now = clock.now();
  const count = async (queue: QueueState['queue'], rows: RawBuilder<unknown>) => {
    const [counted] = await readBriefly(
      workerDb,
      sql<Counted>`
        select count(*)::int as waiting, min(q.due_at) filter (where q.due_at <= ${now} and not q.held) as oldest
        from (select * from (${rows}) w limit ${MOST_COUNTED}) q`,
    );
    return stateOf(queue, counted, now);
  };
  return [
    await count('messages', sql`select due_at, false as held from message_recipients where due_at is not null`),
    await count(
      'mailings',
      sql`select due_at, coalesce(leased_until > ${now}, false) as held from mailing_recipients where due_at is not null`,
    ),
    await count('webhooks', sql`select due_at, false as held from webhook_deliveries where due_at is not null`),
    await count(
      'drips',
      sql`select e.due_at, false as held from drip_enrolments e join drip_campaigns d on d.id = e.drip_id
        where e.due_at is not null and d.state = 'running'`,
    ),
    stateOf('jobs', (await readJobs(db, now))[0], now),
  ];
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
