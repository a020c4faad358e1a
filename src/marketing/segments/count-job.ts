import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { BEFORE_ALL_IDS } from '../../platform/ids.ts';
import { compileFilters } from './compile.ts';
import { type Segment, selectSegments } from './segment.ts';
import '../tables.ts';

export const COUNT_SEGMENT = 'marketing.count-segment';

/** People are counted so many at a time, so that no statement takes long however many there are. */
const STRETCH = 100_000;

/** Counts a segment and keeps the count, unless the segment has changed meanwhile. */
export async function countSegment(
  { db, clock }: { db: Database; clock: Clock },
  { customerId, segmentId }: { customerId: number; segmentId: string },
): Promise<void> {
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => db.tenant([customerId], work);
  const segment = await inTenant((tx) => selectSegments(tx, customerId).where('id', '=', segmentId).executeTakeFirst());
  if (segment === undefined) return;
  const at = clock.now();
  let count = 0;
  for (let after: string | null = BEFORE_ALL_IDS; after !== null; ) {
    const from: string = after;
    const counted: Counted = await inTenant((tx) => countStretch(tx, segment, { customerId, at, from }));
    count += counted.fitting;
    after = counted.last;
  }
  await inTenant((tx) =>
    tx
      .updateTable('segments')
      .set({ subscriber_count: count, counted_at: at })
      .where('customer_id', '=', customerId)
      .where('id', '=', segmentId)
      .where('updated_at', '=', segment.updated_at)
      .execute(),
  );
}

interface Stretch {
  customerId: number;
  at: Date;
  from: string;
}

interface Counted {
  fitting: number;
  /** The last person of the stretch; null where nobody comes after them. */
  last: string | null;
}

/** How many fit among the next people. */
async function countStretch(tx: Tx, { filters }: Segment, { customerId, at, from }: Stretch): Promise<Counted> {
  const end = await sql<{ id: string }>`select id from subscribers where customer_id = ${customerId}
    and id > ${from}::uuid order by id offset ${STRETCH - 1} limit 1`.execute(tx);
  const last = end.rows[0]?.id ?? null;
  const until = last === null ? sql`` : sql`and s.id <= ${last}::uuid`;
  const { rows } = await sql<{ fitting: number }>`select count(*) as fitting from subscribers s
    where s.customer_id = ${customerId} and s.id > ${from}::uuid ${until}
      and ${compileFilters(filters, { customerId, at })}`.execute(tx);
  return { fitting: rows[0]?.fitting ?? 0, last };
}
