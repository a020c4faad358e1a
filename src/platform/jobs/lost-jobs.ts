import type { WorkerEvents } from 'graphile-worker';
import type { Clock } from '../clock.ts';
import type { Pool } from '../db/pool.ts';

/** How often those who take jobs say that they are there. */
export const JOB_BEAT_MS = 10_000;
/** Who was not heard of for so long is dead, and their jobs are free. */
const DEAD_AFTER_MS = 60_000;
/** Who could not say for so long that they are there has to take it that the others could not either. */
const LONGEST_SILENCE_MS = 3 * JOB_BEAT_MS;

// Ages are in the database's own time, which all nodes share.
const BEAT = `
  insert into job_workers (id, seen_at) select id, now() from unnest($1::text[]) as w (id) order by id
  on conflict (id) do update set seen_at = excluded.seen_at`;
// The library takes it that a job which was locked four hours ago has no one any more.
const HOLD = `
  update graphile_worker._private_jobs set locked_at = now()
  where id = any($1::bigint[]) and locked_by = any($2::text[]) and locked_at < now() - interval '1 hour'`;
// A pool of a version that does not say that it is there is left to the library.
const FREE = `
  with dead as (delete from job_workers where seen_at < now() - interval '${DEAD_AFTER_MS} milliseconds' returning id)
  select graphile_worker.force_unlock_workers(array_agg(id)) from dead having count(*) > 0`;
const GIVE_BACK = `
  with gone as (delete from job_workers where id = any($1::text[]))
  select graphile_worker.force_unlock_workers($1::text[])`;

/** Who of this process takes jobs, and which they are at. */
export interface Takers {
  pools: Set<string>;
  jobs: Set<string>;
}

/** Keeps count of who takes jobs. The library locks a job with the id of the pool, not of the worker that is in it. */
export function follow(events: WorkerEvents, { pools, jobs }: Takers): void {
  events.on('pool:create', ({ workerPool }) => pools.add(workerPool.id));
  events.on('pool:release', ({ workerPool }) => pools.delete(workerPool.id)); // its last job has ended
  events.on('job:start', ({ job }) => jobs.add(job.id));
  events.on('job:complete', ({ job }) => jobs.delete(job.id));
}

/**
 * A beat says that pools are there, and frees the jobs of those that are not any more. Whoever has not said so without
 * a break for as long as it takes to be dead frees nothing: where the database was away, everybody looks dead at first.
 */
export function createJobBeat(
  { pool, clock }: { pool: Pool; clock: Clock },
  { pools, jobs }: Takers,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  let unbrokenSince = last;
  return async () => {
    await pool.query(BEAT, [[...pools]]);
    const now = clock.now().getTime();
    if (now - last > LONGEST_SILENCE_MS) unbrokenSince = now;
    last = now;
    if (jobs.size > 0) await pool.query(HOLD, [[...jobs], [...pools]]);
    if (now - unbrokenSince >= DEAD_AFTER_MS) await pool.query(FREE);
  };
}

/** Frees what pools have begun and will not end. */
export async function giveBackJobs(pool: Pool, { pools }: Takers): Promise<void> {
  await pool.query(GIVE_BACK, [[...pools]]);
}
