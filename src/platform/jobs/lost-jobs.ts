import type { Pool } from '../db/pool.ts';

/** How often those who take jobs say that they are there. */
export const JOB_BEAT_MS = 10_000;
/** Who was not heard of for so long is dead, and their jobs are free; in the database's own time. */
const DEAD_AFTER = `interval '1 minute'`;

const BEAT = `
  insert into job_workers (id, seen_at) select id, now() from unnest($1::text[]) as w (id) order by id
  on conflict (id) do update set seen_at = excluded.seen_at`;
// A worker of a version that does not say that it is there is left to the library, which waits for four hours.
const FREE = `
  with dead as (delete from job_workers where seen_at < now() - ${DEAD_AFTER} returning id)
  select graphile_worker.force_unlock_workers(array_agg(id)) from dead having count(*) > 0`;

/** Says that workers are there, and frees the jobs of those that are not any more. */
export async function keepJobsMoving(pool: Pool, workers: Iterable<string>): Promise<void> {
  await pool.query(BEAT, [[...workers]]);
  await pool.query(FREE);
}
