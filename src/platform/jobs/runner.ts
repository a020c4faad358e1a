import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Logger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { createPool } from '../db/pool.ts';
import { urlForRole } from '../db/roles.ts';
import type { Log } from '../log.ts';

export interface Task {
  (payload: Record<string, unknown>): Promise<void>;
  /** Set where it waits for the server of a stranger: such tasks wait beside the others, never before them. */
  callsOut?: true;
}

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
const CALLS_AT_ONCE = 4;
const RESTART_MS = 1_000;
const STUCK_AFTER = 5;

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
export async function startJobs({ tasks, ...options }: Options): Promise<() => Promise<void>> {
  const { own = [], calls = [] } = Object.groupBy(Object.entries(tasks), ([, { callsOut }]) =>
    callsOut ? 'calls' : 'own',
  );
  const stops = [await startRunner({ ...options, tasks: own }, CONCURRENCY)];
  if (calls.length > 0) stops.push(await startRunner({ ...options, tasks: calls, cron: [] }, CALLS_AT_ONCE));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

interface Share extends Omit<Options, 'tasks'> {
  tasks: [string, Task][];
}

async function startRunner({ ownerUrl, log, tasks, cron }: Share, concurrency: number): Promise<() => Promise<void>> {
  const pool = createPool({
    url: urlForRole(ownerUrl, 'jobs'),
    max: concurrency + 2,
    log,
    name: 'jobs',
    patient: true,
  });
  const taskList: TaskList = Object.fromEntries(
    tasks.map(([name, task]) => [name, (payload: unknown) => task((payload ?? {}) as Record<string, unknown>)]),
  );
  const launch = async () => {
    const events: WorkerEvents = new EventEmitter();
    const runner = await run({
      events,
      pgPool: pool,
      taskList,
      parsedCronItems: parseCronItems(cron.map(({ task, schedule }) => ({ task, match: schedule }))),
      concurrency,
      noHandleSignals: true,
      // Results that are not batched are not waited for: lost when it stops, and the end of the process when they fail.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: loggerOver(log),
    });
    stopWhenStuck(runner, events);
    return runner;
  };
  const asked = new AbortController();
  const ended = keepRunning(await launch(), launch, { log, asked: asked.signal });
  return async () => {
    asked.abort();
    await ended;
    await pool.end();
  };
}

/**
 * Stops a runner that fails to take jobs again and again. When the very first look at the database fails, the
 * library keeps that failure for ever; a new runner looks anew.
 */
function stopWhenStuck(runner: Runner, events: WorkerEvents): void {
  let failures = 0;
  const taken = () => (failures = 0);
  events.on('worker:getJob:empty', taken).on('job:start', taken);
  events.on('worker:getJob:error', () => {
    failures += 1;
    if (failures === STUCK_AFTER) runner.stop().catch(() => {}); // refused where it has just ended by itself
  });
}

/** Starts a runner again whenever it gives up, as it does when the result of a job cannot be written. */
async function keepRunning(
  first: Runner,
  launch: () => Promise<Runner>,
  { log, asked }: { log: Log; asked: AbortSignal },
): Promise<void> {
  const stopAsked = new Promise((resolve) => asked.addEventListener('abort', resolve, { once: true }));
  for (let runner: Runner | null = first; ; runner = await launch().catch(() => null)) {
    await Promise.race([stopAsked, runner?.promise.catch(() => {})]);
    if (asked.aborted) {
      await runner?.stop().catch(() => {}); // refused only where it has just ended by itself
      return;
    }
    log.error('side jobs ended; starting them again');
    await Promise.race([stopAsked, sleep(RESTART_MS)]);
    if (asked.aborted) return;
  }
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
