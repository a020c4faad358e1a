import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';

const MOST_LISTED = 200;

/** A side job, without what it is about. */
export interface SideJob {
  id: string;
  task: string;
  attempts: number;
  maxAttempts: number;
  runAt: Date;
  createdAt: Date;
  state: 'waiting' | 'running' | 'failing' | 'given_up';
  /** The name of the last error, never its words. */
  error: string | null;
}

interface Row {
  id: string;
  task: string;
  attempts: number;
  max_attempts: number;
  run_at: Date;
  created_at: Date;
  locked: boolean;
  error: string | null;
}

/** Side jobs that wait or run; those that failed come first. */
export async function listSideJobs(db: Database): Promise<SideJob[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<Row>`select id::text, task, attempts, max_attempts, run_at, created_at, locked, error
      from list_side_jobs(${MOST_LISTED})`.execute(tx),
  );
  return rows.map((row) => ({
    id: row.id,
    task: row.task,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    runAt: row.run_at,
    createdAt: row.created_at,
    state: stateOf(row),
    error: row.error,
  }));
}

/** Lets a job that does not run begin again at once. */
export async function retrySideJob({ db, clock }: { db: Database; clock: Clock }, act: Act, id: string): Promise<void> {
  const missing = new AppError('not_found', 'No such job that waits');
  if (!/^[1-9]\d{0,17}$/.test(id)) throw missing;
  await db.tenant([act.customerId], async (tx) => {
    const { rows } = await sql<{ retried: boolean }>`
      select retry_side_job(${id}::bigint, ${clock.now()}) as retried`.execute(tx);
    if (rows[0]?.retried !== true) throw missing;
    await recordAct(tx, clock, act, { target: id });
  });
}

function stateOf({ locked, attempts, max_attempts: most, error }: Row): SideJob['state'] {
  if (locked) return 'running';
  if (attempts >= most) return 'given_up';
  return error === null ? 'waiting' : 'failing';
}
