import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { letWork } from './bulk-job.ts';
import '../tables.ts';

const STALLED_MS = 60_000;
const LONGEST_MS = 7 * 24 * 3600_000;

/**
 * Takes up jobs that nobody has worked on for a while, as their process died. After a week one is given up, but for those that
 * let people into a drip and may have rested with it.
 */
export async function resumeBulkJobs({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - STALLED_MS);
  const tooOld = new Date(now.getTime() - LONGEST_MS);
  const { rows } = await db.untenanted((tx) =>
    sql<{ customer_id: number; id: string }>`select * from find_stalled_bulk_jobs(${before})`.execute(tx),
  );
  for (const { customer_id: customerId, id: jobId } of rows) {
    await db.tenant([customerId], async (tx) => {
      const isOver = sql<boolean>`created_at < ${tooOld} and not (kind = 'enrol' and ${dripRested(customerId, tooOld)})`;
      const { rows: taken } = await sql<{ state: string }>`
        update bulk_jobs set updated_at = ${now}, state = case when ${isOver} then 'failed' else state end,
          failures = case when ${isOver} then greatest(total - done, 1) else failures end,
          finished_at = case when ${isOver} then ${now}::timestamptz end
        where customer_id = ${customerId} and id = ${jobId} and state in ('waiting', 'running')
          and updated_at < ${before}
        returning state`.execute(tx);
      if (taken[0] !== undefined && taken[0].state !== 'failed') await letWork(tx, { customerId, jobId });
    });
  }
}

/** Whether a drip is paused, or went on since some time. Which one a job is about is sealed, so that any of the customer counts. */
function dripRested(customerId: number, since: Date): RawBuilder<boolean> {
  return sql`exists (select from drip_campaigns d where d.customer_id = ${customerId} and (d.state = 'paused'
    or exists (select from jsonb_array_elements(d.pauses) p where (p->>'to')::timestamptz > ${since})))`;
}
