import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCronItems, type Runner, run, runMigrations, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Clock } from '../clock.ts';
import { createPool } from '../db/pool.ts';
import { urlForRole } from '../db/roles.ts';
import { every } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { onBehalfOf } from '../request-context.ts';
import { loggerOver } from './job-log.ts';
import { createJobBeat, follow, giveBackJobs, JOB_BEAT_MS, type Takers } from './lost-jobs.ts';

export interface Task {
  (payload: Record<string, unknown>): Promise<void>;
  /** Set where it waits for the server of a stranger: such tasks wait beside the others, never before them. */
  callsOut?: true;
  /** Set where it may work for seconds or more: such tasks keep no mail and no notice waiting. */
  takesLong?: true;
}

/** Marks tasks that may work for seconds or more. */
export function takingLong(tasks: Record<string, Task>): Record<string, Task> {
  for (const task of Object.values(tasks)) task.takesLong = true;
  return tasks;
}

export interface CronEntry {
  task: string;
  /** Five fields, in UTC. */
  schedule: string;
  /** A time that passed while no node was there is made up for within so long. */
  catchUpMs?: number;
}

interface Options {
  ownerUrl: string;
  log: Log;
  clock: Clock;
  tasks: Record<string, Task>;
  cron: CronEntry[];
  /** How long a stop waits for the jobs under way. */
  stopWithinMs?: number;
}

const CONCURRENCY = 2;
const CALLS_AT_ONCE = 4;
const LONG_AT_ONCE = 2;
/** To listen, to take a job and to write down what came of another. */
const LEAST_CONNECTIONS = 3;
/** How many connections a process may have open for side jobs. */
export const JOB_CONNECTIONS = [CONCURRENCY, CALLS_AT_ONCE, LONG_AT_ONCE]
  .map(connectionsFor)
  .reduce((sum, connections) => sum + connections);
const RESTART_MS = 1_000;
const STUCK_AFTER = 5;
const STOP_WITHIN_MS = 10_000;

/** Brings the job library's own schema up to date. */
export async function migrateJobs(ownerUrl: string, log: Log): Promise<void> {
  const pool = createPool({ url: urlForRole(ownerUrl, 'jobs'), max: 1, log, name: 'jobs' });
  try {
    await runMigrations({ pgPool: pool, logger: loggerOver(log) });
  } finally {
    await pool.end();
  }
}

/**
 * Runs side jobs and cron; returns a function that stops: running jobs may finish, and those that take too long are left
 * to others. On several nodes each job is taken by one of them, and of one time of the cron there is one job.
 */
export async function startJobs({ tasks, ...options }: Options): Promise<() => Promise<void>> {
  const { short = [], calls = [], long = [] } = Object.groupBy(Object.entries(tasks), ([, task]) => kindOf(task));
  const stops = [await startRunner({ ...options, tasks: short }, CONCURRENCY)];
  if (calls.length > 0) stops.push(await startRunner({ ...options, tasks: calls, cron: [] }, CALLS_AT_ONCE));
  if (long.length > 0) stops.push(await startRunner({ ...options, tasks: long, cron: [] }, LONG_AT_ONCE));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function kindOf({ callsOut, takesLong }: Task): 'short' | 'calls' | 'long' {
  if (callsOut) return 'calls';
  return takesLong ? 'long' : 'short';
}

interface Share extends Omit<Options, 'tasks'> {
  tasks: [string, Task][];
}

/** No job holds one while it works. */
function connectionsFor(concurrency: number): number {
  return Math.max(LEAST_CONNECTIONS, concurrency);
}

async function startRunner(
  { ownerUrl, log, clock, tasks, cron, stopWithinMs = STOP_WITHIN_MS }: Share,
  concurrency: number,
): Promise<() => Promise<void>> {
  const pool = createPool({
    url: urlForRole(ownerUrl, 'jobs'),
    max: connectionsFor(concurrency),
    log,
    name: 'jobs',
    patient: true,
  });
  const taskList: TaskList = Object.fromEntries(
    tasks.map(([name, task]) => [name, (payload: unknown) => carryOut(log, name, task, payload)]),
  );
  const takers: Takers = { pools: new Set(), jobs: new Set() };
  const beat = createJobBeat({ pool, clock }, takers);
  const launch = async () => {
    const events: WorkerEvents = new EventEmitter();
    follow(events, takers);
    const runner = await run({
      events,
      pgPool: pool,
      taskList,
      parsedCronItems: parseCronItems(
        cron.map(({ task, schedule, catchUpMs = 0 }) => ({
          task,
          match: schedule,
          options: { backfillPeriod: catchUpMs },
        })),
      ),
      concurrency,
      noHandleSignals: true,
      // Results that are not batched are not waited for: lost when it stops, and the end of the process when they fail.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: loggerOver(log),
    });
    stopWhenStuck(runner, events);
    beat().catch(() => {}); // the next one tells what is wrong
    return runner;
  };
  const asked = new AbortController();
  const ended = keepRunning(await launch(), launch, { log, asked: asked.signal });
  const stopBeating = every(JOB_BEAT_MS, beat, { log, name: 'lost jobs' });
  return async () => {
    asked.abort();
    const inTime = await endsWithin(stopWithinMs, ended);
    await stopBeating();
    if (!inTime) {
      log.warn('side jobs take too long to wait for; leaving them to others');
      await giveBackJobs(pool, takers).catch((error) => log.warn({ err: error }, 'cannot give side jobs back'));
    }
    await pool.end();
  };
}

async function endsWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(ms, false, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}

/** Does a job on behalf of the request that asked for it. */
function carryOut(log: Log, name: string, task: Task, given: unknown): Promise<void> {
  const payload = (given ?? {}) as Record<string, unknown>;
  const work = async () => {
    await task(payload);
    log.debug({ task: name }, 'job done');
  };
  return typeof payload.requestId === 'string' ? onBehalfOf(payload.requestId, work) : work();
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
  let failure: unknown;
  const keep = (error: unknown) => {
    failure = error;
    return null;
  };
  for (let runner: Runner | null = first; ; runner = await launch().catch(keep)) {
    await Promise.race([stopAsked, runner?.promise.catch(keep)]);
    if (asked.aborted) {
      await runner?.stop().catch(() => {}); // refused only where it has just ended by itself
      return;
    }
    log.error({ err: failure }, 'side jobs ended; starting them again');
    failure = undefined;
    await Promise.race([stopAsked, sleep(RESTART_MS)]);
    if (asked.aborted) return;
  }
}
