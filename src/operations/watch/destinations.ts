import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { readBriefly } from './read-briefly.ts';

const MOST_COUNTED = 50_000;
const MOST_NAMED = 20;
/** A domain is named where so many wait for it: a small one may be a person's own. */
const FEWEST_NAMED = 10;
const OLDEST_MS = 40 * 24 * 3600_000;
const OTHERS = 'other';

/** Mail that waits for one domain, or for all those that are not named. */
export interface Destination {
  destination: string;
  waiting: number;
  /** How long the oldest has been on its way: since it was first tried, or since it could have been. */
  oldestSeconds: number;
}

interface Row {
  domain: string;
  waiting: number;
  since: Date;
}

interface Deps {
  /** The database as the worker sees it: the queue of all customers, without content. */
  workerDb: Database;
  clock: Clock;
}

/** The destinations for which mail waits longest, and all others as one. What waits for its own time is left out. */
export async function readDestinations({ workerDb, clock }: Deps): Promise<Destination[]> {
  const now = clock.now();
  const youngEnough = sql`message_id >= ${firstIdAt(new Date(now.getTime() - OLDEST_MS))}::uuid`;
  const rows = await readBriefly(
    workerDb,
    sql<Row>`
      with waiting as (
        (select domain, message_id, ordinal, attempts, due_at from message_recipients
          where due_at is not null and ${youngEnough} and (attempts > 0 or due_at <= ${now}) limit ${MOST_COUNTED})
        union all
        (select domain, message_id, ordinal, attempts, due_at from message_recipients
          where parked and ${youngEnough} limit ${MOST_COUNTED})
      ), oldest as (
        select distinct on (domain) domain, message_id, ordinal from waiting
        where attempts > 0 or due_at is null order by domain, message_id
      )
      select w.domain, count(*)::int as waiting,
        least(min(w.due_at) filter (where w.attempts = 0),
          coalesce(min(a.started_at), min(${madeAt(sql`o.message_id`)}))) as since
      from waiting w
      left join oldest o on o.domain = w.domain
      left join delivery_attempts a on a.message_id = o.message_id and a.ordinal = o.ordinal and a.attempt = 1
      group by w.domain`,
  );
  return nameSome(
    rows.map(({ domain, waiting, since }) => ({
      destination: domain,
      waiting,
      oldestSeconds: Math.max(0, (now.getTime() - since.getTime()) / 1000),
    })),
  );
}

/** When a time-ordered id was made: its first 48 bits are milliseconds (RFC 9562 5.7). */
function madeAt(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_timestamp(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;
}

function nameSome(all: Destination[]): Destination[] {
  const longest = all
    .filter(({ waiting }) => waiting >= FEWEST_NAMED)
    .toSorted((one, other) => other.oldestSeconds - one.oldestSeconds)
    .slice(0, MOST_NAMED);
  const named = new Set(longest);
  const others = all.filter((each) => !named.has(each));
  const waiting = others.reduce((sum, each) => sum + each.waiting, 0);
  const oldestSeconds = Math.max(0, ...others.map((each) => each.oldestSeconds));
  return [...longest, { destination: OTHERS, waiting, oldestSeconds }];
}
