import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { locateBinaries } from './embedded-binaries.ts';
import { clusterMajor, refuseOtherMajor } from './embedded-version.ts';
import { canConnect, withConnection } from './pool.ts';

const OWNER = 'carepost_owner';
const DATABASE = 'carepost';
const OLD_POSTMASTER_WAIT_MS = 30_000;
// How long it may be silent; while it says that it is starting up, as after a power cut, it takes the time that it takes.
const START_WAIT_MS = 30_000;
const LONGEST_PAUSE_MS = 500;
// sockaddr_un holds 107 characters; the socket's own name takes 14 of them.
const LONGEST_SOCKET_FOLDER = 90;

const SERVER_SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // What a backup every few minutes has to find still there; without it the next one is a full one.
  wal_keep_size: '2GB',
  jit: 'off',
  // Error details and statements may quote data: neither may reach the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

interface ConnectionFile {
  socketFolder: string;
  password: string;
  /** Named where the cluster is a copy of another server's. */
  owner?: string;
  database?: string;
}

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** The owner's address. */
  url: string;
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  log: Log;
  /** The folder with programs of another version than the one that the product brings. */
  binaries?: string;
  /** Settings beside those that the product gives. */
  settings?: Record<string, string>;
}

/**
 * Starts the PostgreSQL of a data dir and keeps it running: it is started again when it dies, and
 * it stops by itself when this process is killed.
 */
export async function startEmbedded(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, log, binaries = locateBinaries(), settings = {} } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  refuseOtherMajor(dataDir, binaries);
  const cluster = join(dataDir, 'postgres');
  const connection = readConnection(dataDir) ?? writeConnection(dataDir);
  mkdirSync(connection.socketFolder, { recursive: true, mode: 0o700 });
  if (clusterMajor(dataDir) === null) createCluster(binaries, cluster, connection.password);
  await waitForOlderPostmaster(cluster);

  let stopping = false;
  let hasEnded = false;
  let child: ChildProcess;
  const launch = () => {
    child = spawnPostmaster(binaries, dataDir, { ...settings, unix_socket_directories: connection.socketFolder });
    child.once('exit', (code, signal) => {
      hasEnded = true;
      if (stopping) return;
      log.error({ code, signal }, 'embedded PostgreSQL ended; starting it again');
      setTimeout(() => stopping || launch(), 200);
    });
  };
  launch();

  const stop = async () => {
    stopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT'); // fast shutdown: rolls back what is open, then a checkpoint
    await ended;
  };
  const url = connectionUrl(connection);
  try {
    await waitUntilReady(adminUrl(connection), { log, hasEnded: () => hasEnded || child.exitCode !== null });
    await createDatabase(connection);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** The owner's address of the embedded PostgreSQL that runs on a data dir, or null where none runs. */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const connection = readConnection(dataDir);
  if (connection === null) return null;
  const url = connectionUrl(connection);
  return (await canConnect(url)) ? url : null;
}

/** Notes a new password for the owner of a cluster that is put into a data dir, and tells whose it has to become. */
export function adoptCluster(dataDir: string, names: { owner?: string; database?: string } = {}) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { owner = OWNER, password } = writeConnection(dataDir, undefined, names);
  return { owner, password };
}

/** Lets the cluster that is yet to be made in one data dir have the owner, and so the roles, of another's. */
export function shareOwner(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const connection = readConnection(from);
  if (connection !== null && readConnection(to) === null) writeConnection(to, connection.password);
}

function readConnection(dataDir: string): ConnectionFile | null {
  const file = join(dataDir, 'postgres.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ConnectionFile) : null;
}

function writeConnection(
  dataDir: string,
  password = randomBytes(32).toString('base64url'),
  names: { owner?: string; database?: string } = {},
): ConnectionFile {
  const inside = join(dataDir, 'run');
  const socketFolder = inside.length <= LONGEST_SOCKET_FOLDER ? inside : mkdtempSync(join(tmpdir(), 'carepost-'));
  const connection = { socketFolder, password, ...names };
  const file = join(dataDir, 'postgres.json');
  writeFileSync(`${file}.new`, JSON.stringify(connection), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return connection;
}

function addressOf({ socketFolder, password, owner = OWNER }: ConnectionFile, database: string): string {
  return `postgres://${encodeURIComponent(owner)}:${password}@${encodeURIComponent(socketFolder)}/${database}`;
}

function connectionUrl(connection: ConnectionFile): string {
  return addressOf(connection, connection.database ?? DATABASE);
}

function adminUrl(connection: ConnectionFile): string {
  return addressOf(connection, 'postgres');
}

/**
 * PostgreSQL refuses to run as root, and another user could not enter a folder like root's home: in
 * a user namespace root is seen as an ordinary user and still owns its files.
 */
export function asOrdinaryUser(command: string[]): string[] {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return command;
  return ['unshare', '--user', '--map-user=1000', '--map-group=1000', ...command];
}

function createCluster(binaries: string, cluster: string, password: string): void {
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const passwordFile = `${cluster}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const [command = '', ...args] = asOrdinaryUser([
    join(binaries, 'initdb'),
    `--pgdata=${unfinished}`,
    `--username=${OWNER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ]);
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  rmSync(passwordFile);
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr.trim()}`);
  renameSync(unfinished, cluster);
}

function spawnPostmaster(binaries: string, dataDir: string, more: Record<string, string>): ChildProcess {
  const settings = { ...SERVER_SETTINGS, ...more };
  const server = [
    join(binaries, 'postgres'),
    '-D',
    join(dataDir, 'postgres'),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  // The parent-death signal stops it when this process is killed; it has to be set inside the namespace.
  const tied = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'INT', ...server] : server;
  const [command = '', ...args] = asOrdinaryUser(tied);
  const logFile = openSync(join(dataDir, 'postgres.log'), 'a', 0o600);
  const child = spawn(command, args, { detached: true, stdio: ['ignore', logFile, logFile] });
  child.once('error', () => {});
  closeSync(logFile);
  return child;
}

async function waitForOlderPostmaster(cluster: string): Promise<void> {
  const deadline = Date.now() + OLD_POSTMASTER_WAIT_MS;
  for (let pid = livePostmaster(cluster); pid !== null; pid = livePostmaster(cluster)) {
    if (Date.now() > deadline) throw new Error(`another PostgreSQL (process ${pid}) still runs on ${cluster}`);
    await sleep(20);
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

interface Starting {
  log: Log;
  hasEnded(): boolean;
}

/** Waits for a server that was just started, however long its recovery takes, unless it ends or falls silent. */
export async function waitUntilReady(url: string, { log, hasEnded }: Starting): Promise<void> {
  const began = Date.now();
  let [answered, told] = [began, began];
  for (;;) {
    const answer = await knock(url);
    if (answer === 'ready') return;
    const now = Date.now();
    if (answer === 'starting') answered = now;
    if (hasEnded() || now - answered > START_WAIT_MS) {
      throw new Error('the embedded PostgreSQL did not start: see postgres.log in the data dir');
    }
    if (now - told > START_WAIT_MS) {
      told = now;
      log.warn({ seconds: Math.round((now - began) / 1000) }, 'embedded PostgreSQL still recovers; waiting for it');
    }
    // Every refusal is a line in its log.
    await sleep(Math.min(LONGEST_PAUSE_MS, 20 + (now - began) / 20));
  }
}

async function knock(url: string): Promise<'ready' | 'starting' | 'silent'> {
  try {
    await withConnection(url, (client) => client.query('select 1'));
    return 'ready';
  } catch (error) {
    return (error as { code?: string }).code === '57P03' ? 'starting' : 'silent';
  }
}

async function createDatabase(connection: ConnectionFile): Promise<void> {
  if (await canConnect(connectionUrl(connection))) return;
  await withConnection(adminUrl(connection), (client) => client.query(`create database ${DATABASE}`));
}
