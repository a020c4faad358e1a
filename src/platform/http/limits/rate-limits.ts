import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Log } from '../../log.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    rate_counts: { subject: string; window_start: Date; count: number };
  }
}

export interface Rate {
  count: number;
  windowSeconds: number;
}

interface Counter {
  windowStart: number;
  rate: Rate;
  /** Counted by all nodes up to the last settlement, this one included. */
  settled: number;
  /** Counted here since. */
  fresh: number;
}

export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export interface RateLimits {
  take(subject: string, rate: Rate): Verdict;
  /** Takes back what was counted just now, and should not have been. */
  giveBack(subject: string, rate: Rate): void;
  /** Adds what was counted here to the shared table and learns what others counted. */
  settle(): Promise<void>;
  /** Takes up the counts of the windows that are open, so that a restart forgives nothing. */
  load(): Promise<void>;
}

const LONGEST_WINDOW_MS = 3600 * 1000;
/** Rows to a statement, which takes 65,535 parameters at most. */
const BATCH = 5_000;

/** Counts requests in memory, and settles with the other nodes through a table once a second. */
export function createRateLimits(deps: { db: Database; clock: Clock; log: Log }): RateLimits {
  const { db, clock, log } = deps;
  const counters = new Map<string, Counter>();
  const loaded = new Map<string, { windowStart: number; count: number }>();

  function counterOf(subject: string, rate: Rate, now: number): Counter {
    const windowStart = windowOf(now, rate);
    const known = counters.get(subject);
    if (known?.windowStart === windowStart) return known;
    const stored = loaded.get(subject);
    const settled = stored?.windowStart === windowStart ? stored.count : 0;
    const counter = { windowStart, rate, settled, fresh: 0 };
    counters.set(subject, counter);
    return counter;
  }

  return {
    take(subject, rate) {
      const now = clock.now().getTime();
      const counter = counterOf(subject, rate, now);
      counter.fresh += 1;
      const used = counter.settled + counter.fresh;
      return {
        allowed: used <= rate.count,
        limit: rate.count,
        remaining: Math.max(0, rate.count - used),
        resetSeconds: Math.max(1, Math.ceil((counter.windowStart + rate.windowSeconds * 1000 - now) / 1000)),
      };
    },

    giveBack(subject, rate) {
      const now = clock.now().getTime();
      const known = counters.get(subject);
      if (known?.windowStart === windowOf(now, rate)) known.fresh -= 1;
    },

    async load() {
      const since = new Date(clock.now().getTime() - LONGEST_WINDOW_MS);
      const rows = await db.untenanted((tx) =>
        tx.selectFrom('rate_counts').selectAll().where('window_start', '>=', since).execute(),
      );
      for (const row of rows) {
        const windowStart = row.window_start.getTime();
        if (windowStart >= (loaded.get(row.subject)?.windowStart ?? 0)) {
          loaded.set(row.subject, { windowStart, count: row.count });
        }
      }
    },

    async settle() {
      const now = clock.now().getTime();
      const due = [...counters]
        .filter(([, counter]) => counter.fresh !== 0)
        .map(([subject, counter]) => ({ subject, counter, added: counter.fresh }))
        .toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
      for (const [subject, counter] of counters) {
        if (counter.fresh === 0 && counter.windowStart + counter.rate.windowSeconds * 1000 <= now)
          counters.delete(subject);
      }
      if (due.length === 0) return;
      try {
        for (let start = 0; start < due.length; start += BATCH) {
          const batch = due.slice(start, start + BATCH);
          const totals = await db.untenanted((tx) => addCounts(tx, batch));
          for (const { subject, counter, added } of batch) {
            counter.fresh -= added;
            counter.settled = totals.get(subject) as number;
          }
        }
      } catch (error) {
        log.warn({ err: error }, 'rate limits were not settled');
      }
    },
  };
}

function windowOf(now: number, { windowSeconds }: Rate): number {
  return now - (now % (windowSeconds * 1000));
}

/** Counting goes on meanwhile, so what is added is what was taken down at the start. */
interface Due {
  subject: string;
  counter: Counter;
  added: number;
}

async function addCounts(tx: Tx, due: Due[]): Promise<Map<string, number>> {
  const rows = due.map(({ subject, counter, added }) => ({
    subject,
    window_start: new Date(counter.windowStart),
    count: added,
  }));
  const stored = await tx
    .insertInto('rate_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['subject', 'window_start']).doUpdateSet({ count: sql`rate_counts.count + excluded.count` }),
    )
    .returning(['subject', 'count'])
    .execute();
  return new Map(stored.map((row) => [row.subject, row.count]));
}

/** Deletes the counts of windows long past; run by cron as the worker role. */
export async function sweepRateCounts(db: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - LONGEST_WINDOW_MS);
  await db.untenanted((tx) => tx.deleteFrom('rate_counts').where('window_start', '<', before).execute());
}
