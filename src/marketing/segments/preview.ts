import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { SUBSCRIBER_COLUMNS, type Subscriber } from '../subscribers/subscriber.ts';
import { compileFilters } from './compile.ts';
import type { Filters } from './filters/filters.ts';
import '../tables.ts';

/** Whom filters find, as far as there was time to look. */
export interface Preview {
  count: number;
  /** Whether everybody was looked at; otherwise there are at least so many. */
  complete: boolean;
  /** A few of those who came last. */
  sample: Subscriber[];
}

/** People are looked at so many at a time, the newest first … */
const STRETCH = 20_000;
/** … and for no longer than this, since somebody waits for the answer. */
const LONGEST_MS = 2_000;
const MOST_SHOWN = 5;
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Counts whom filters find that nobody has saved yet. */
export async function previewFilters(
  { db, clock }: { db: Database; clock: Clock },
  { customerId, filters }: { customerId: number; filters: Filters },
): Promise<Preview> {
  const endsAt = performance.now() + LONGEST_MS;
  const at = clock.now();
  const ids: string[] = [];
  let count = 0;
  let before: string | null = LAST;
  while (before !== null && performance.now() < endsAt) {
    const until: string = before;
    const seen: Seen = await db.tenant([customerId], (tx) => lookAt(tx, filters, { customerId, at, until }));
    count += seen.fitting;
    ids.push(...seen.newest.slice(0, MOST_SHOWN - ids.length));
    before = seen.first;
  }
  const sample = await db.tenant([customerId], (tx) => readPeople(tx, customerId, ids));
  return { count, complete: before === null, sample };
}

interface Seen {
  fitting: number;
  newest: string[];
  /** The first person of the stretch; null where nobody came before them. */
  first: string | null;
}

interface Stretch {
  customerId: number;
  at: Date;
  until: string;
}

/** How many fit among the people who came before somebody. */
async function lookAt(tx: Tx, filters: Filters, { customerId, at, until }: Stretch): Promise<Seen> {
  const end = await sql<{ id: string }>`select id from subscribers where customer_id = ${customerId}
    and id < ${until}::uuid order by id desc offset ${STRETCH - 1} limit 1`.execute(tx);
  const first = end.rows[0]?.id ?? null;
  const from = first === null ? sql`` : sql`and s.id >= ${first}::uuid`;
  const { rows } = await sql<{ fitting: number; newest: string[] | null }>`
    select count(*) as fitting, (array_agg(s.id order by s.id desc))[1:${sql.raw(String(MOST_SHOWN))}] as newest
    from subscribers s where s.customer_id = ${customerId} and s.id < ${until}::uuid ${from}
      and ${compileFilters(filters, { customerId, at })}`.execute(tx);
  return { fitting: rows[0]?.fitting ?? 0, newest: rows[0]?.newest ?? [], first };
}

async function readPeople(tx: Tx, customerId: number, ids: readonly string[]): Promise<Subscriber[]> {
  const columns = sql.join(SUBSCRIBER_COLUMNS.map((column) => sql.ref(`s.${column}`)));
  const { rows } = await sql<Subscriber>`select ${columns} from subscribers s
    where s.customer_id = ${customerId} and s.id = any(${ids}::uuid[]) order by s.id desc`.execute(tx);
  return rows;
}
