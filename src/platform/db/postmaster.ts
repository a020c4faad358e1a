import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { asOrdinaryUser } from './as-ordinary-user.ts';
import { postmasterLog } from './postmaster-log.ts';

const OLD_POSTMASTER_WAIT_MS = 30_000;
const RESTART_PAUSE_MS = 200;

const SERVER_SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // What a backup every few minutes has to find still there; without it the next one is a full one.
  wal_keep_size: '2GB',
  // Pages that make room for others go to the disk at once. Otherwise the system writes half a minute of them in one go, and what
  // is to be durable waits for all of them (docs/measurements.md).
  backend_flush_after: '256kB',
  jit: 'off',
  // Error details and statements may quote data: neither may reach the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

interface Options {
  dataDir: string;
  /** The folder with `postgres`. */
  binaries: string;
  /** Settings beside those that the product gives. */
  settings: Record<string, string>;
  log: Log;
}

/** The process that is the embedded PostgreSQL, or its successor. */
interface Postmaster {
  /** How the first one ended; null while it never has. */
  firstEnd(): End | null;
  stop(): Promise<void>;
}

/** How a process ended, or that it could not begin. */
interface End {
  /** What was started: the program itself, or the one that lets it run as it has to. */
  program: string;
  code?: number | null;
  signal?: NodeJS.Signals | null;
  err?: NodeJS.ErrnoException;
}

interface Started {
  child: ChildProcess | null;
  ended: Promise<End>;
}

/** Runs the PostgreSQL of a data dir, and again whenever it ends before it is stopped. */
export function keepPostmaster(options: Options): Postmaster {
  let stopping = false;
  let firstEnd: End | null = null;
  let current = startPostmaster(options);
  const keep = async () => {
    for (;;) {
      const end = await current.ended;
      firstEnd ??= end;
      if (stopping) return;
      options.log.error(end, 'embedded PostgreSQL ended; starting it again');
      await sleep(RESTART_PAUSE_MS);
      if (stopping) return;
      current = startPostmaster(options);
    }
  };
  const kept = keep();
  return {
    firstEnd: () => firstEnd,
    async stop() {
      stopping = true;
      current.child?.kill('SIGINT'); // fast shutdown: rolls back what is open, then a checkpoint
      await kept;
    },
  };
}

/** Waits for one that an earlier process of the product has left behind and that is about to end. */
export async function waitForOlderPostmaster(cluster: string, log: Log): Promise<void> {
  const deadline = Date.now() + OLD_POSTMASTER_WAIT_MS;
  const found = livePostmaster(cluster);
  if (found !== null)
    log.warn({ pid: found }, 'another embedded PostgreSQL still runs on this data dir; waiting for it');
  for (let pid = livePostmaster(cluster); pid !== null; pid = livePostmaster(cluster)) {
    if (Date.now() > deadline)
      throw new Error(`another PostgreSQL (process ${pid}) still runs on ${cluster}: is Carepost started already?`);
    await sleep(20);
  }
}

function startPostmaster({ dataDir, binaries, settings }: Options): Started {
  const server = [
    join(binaries, 'postgres'),
    '-D',
    join(dataDir, 'postgres'),
    ...Object.entries({ ...SERVER_SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  // The parent-death signal stops it when this process is killed; it has to be set inside the namespace.
  const tied = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'INT', ...server] : server;
  const [command = '', ...args] = asOrdinaryUser(tied);
  const program = basename(command);
  try {
    const child = spawnLogged(command, args, postmasterLog(dataDir));
    const ended = new Promise<End>((resolve) => {
      child.once('exit', (code, signal) => resolve({ program, code, signal }));
      // Without a process there is no exit; one that cannot be signalled has not ended.
      child.on('error', (err) => child.pid === undefined && resolve({ program, err }));
    });
    return { child, ended };
  } catch (error) {
    return { child: null, ended: Promise.resolve({ program, err: error as NodeJS.ErrnoException }) };
  }
}

function spawnLogged(command: string, args: string[], logFile: string): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawn(command, args, { detached: true, stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
}

function livePostmaster(cluster: string): number | null {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    // After a reboot the number may belong to something else.
    if (process.platform !== 'linux') return pid;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster) ? pid : null;
  } catch {
    return null;
  }
}
