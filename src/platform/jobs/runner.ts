import { Logger, parseCronItems, run, runMigrations, type TaskList } from 'graphile-worker';
import { createPool } from '../db/pool.ts';
import { urlForRole } from '../db/roles.ts';
import type { Log } from '../log.ts';

export type Task = (payload: Record<string, unknown>) => Promise<void>;

export interface CronEntry {
  task: string;
  /** Five fields, in UTC. */
  schedule: string;
}

interface Options {
  ownerUrl: string;
  log: Log;
  tasks: Record<string, Task>;
  cron: CronEntry[];
}

const CONCURRENCY = 2;

/** Brings the job library's own schema up to date. */
export async function migrateJobs(ownerUrl: string, log: Log): Promise<void> {
  const pool = createPool({ url: urlForRole(ownerUrl, 'jobs'), max: 1, log, name: 'jobs' });
  try {
    await runMigrations({ pgPool: pool, logger: loggerOver(log) });
  } finally {
    await pool.end();
  }
}

/** Runs side jobs and cron; returns a function that lets running jobs finish and stops. */
export async function startJobs({ ownerUrl, log, tasks, cron }: Options): Promise<() => Promise<void>> {
  const pool = createPool({ url: urlForRole(ownerUrl, 'jobs'), max: CONCURRENCY + 2, log, name: 'jobs' });
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload: unknown) => task((payload ?? {}) as Record<string, unknown>),
    ]),
  );
  const runner = await run({
    pgPool: pool,
    taskList,
    parsedCronItems: parseCronItems(cron.map(({ task, schedule }) => ({ task, match: schedule }))),
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    // Only batched results are waited for when it stops; others could be lost, and their jobs run again hours later.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: loggerOver(log),
  });
  return async () => {
    await runner.stop();
    await pool.end();
  };
}

/** Job messages may quote payloads and errors: only which job it was about is kept. */
function loggerOver(log: Log): Logger {
  return new Logger((scope) => (level, _message, meta) => {
    const job = meta?.job as { id?: string; task_identifier?: string } | undefined;
    const about = { task: job?.task_identifier ?? scope.taskIdentifier, jobId: job?.id ?? scope.jobId };
    if (level === 'error') log.error(about, 'job failed');
    else if (level === 'warning') log.warn(about, 'job warning');
  });
}
