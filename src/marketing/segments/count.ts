import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { compileFilters } from './compile.ts';
import { COUNT_SEGMENT } from './count-job.ts';
import type { Segment } from './segment.ts';
import '../tables.ts';

/** Up to so many people a segment is counted while its reader waits … */
const MOST_PEOPLE = 50_000;
/** … and up to so many looks at a person for a whole list of segments. */
const MOST_LOOKS = 1_000_000;
const STALE_MS = 60_000;
/** How many counts one look at a list may ask for. */
const MOST_JOBS = 20;

/** Segments with their counts: of this moment where that is quick, else the last ones, which are then renewed. */
export async function withCounts(
  tx: Tx,
  { clock, customerId }: { clock: Clock; customerId: number },
  segments: readonly Segment[],
): Promise<Segment[]> {
  const people = await countPeople(tx, customerId);
  if (people > MOST_PEOPLE || people * segments.length > MOST_LOOKS) {
    await askForCounts(tx, { clock, customerId }, segments);
    return [...segments];
  }
  const counted: Segment[] = [];
  for (const segment of segments) {
    const at = clock.now();
    const { rows } = await sql<{ fitting: number }>`select count(*) as fitting from subscribers s
      where s.customer_id = ${customerId} and ${compileFilters(segment.filters, { customerId, at })}`.execute(tx);
    counted.push({ ...segment, subscriber_count: rows[0]?.fitting ?? 0, counted_at: at });
  }
  return counted;
}

async function countPeople(tx: Tx, customerId: number): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select coalesce(sum(people), 0)::bigint as people from people_counts where customer_id = ${customerId}`.execute(tx);
  return rows[0]?.people ?? 0;
}

async function askForCounts(
  tx: Tx,
  { clock, customerId }: { clock: Clock; customerId: number },
  segments: readonly Segment[],
): Promise<void> {
  const stale = segments
    .filter((segment) => clock.now().getTime() - takenAt(segment) > STALE_MS)
    .toSorted((one, other) => takenAt(one) - takenAt(other));
  for (const { id } of stale.slice(0, MOST_JOBS)) {
    await enqueueJob(tx, COUNT_SEGMENT, { customerId, segmentId: id }, `count-segment/${id}`);
  }
}

function takenAt({ counted_at: at }: Segment): number {
  return at?.getTime() ?? 0;
}
