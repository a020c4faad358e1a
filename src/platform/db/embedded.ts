import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { createCluster } from './create-cluster.ts';
import { locateBinaries } from './embedded-binaries.ts';
import {
  adminUrl,
  connectionOf,
  DATABASE,
  databaseUrl,
  type EmbeddedConnection,
  OWNER,
  readConnection,
} from './embedded-connection.ts';
import { clusterMajor, refuseOtherMajor } from './embedded-version.ts';
import { canConnect, withConnection } from './pool.ts';
import { keepPostmaster, waitForOlderPostmaster } from './postmaster.ts';
import { complaintSince, endOfLog } from './postmaster-log.ts';

// How long it may be silent; while it says that it is starting up, as after a power cut, it takes the time that it takes.
const START_WAIT_MS = 30_000;
const LONGEST_PAUSE_MS = 500;

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
  const connection = connectionOf(dataDir);
  const { socketFolder, password } = connection;
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  if (clusterMajor(dataDir) === null) createCluster(binaries, cluster, { owner: OWNER, password });
  await waitForOlderPostmaster(cluster, log);
  const logged = endOfLog(dataDir);
  const { firstEnd, stop } = keepPostmaster({
    dataDir,
    binaries,
    settings: { ...settings, unix_socket_directories: socketFolder },
    log,
  });
  try {
    await waitUntilReady(adminUrl(connection), { log, hasEnded: () => firstEnd() !== null });
    await createDatabase(connection);
  } catch (error) {
    await stop();
    const { program, err } = firstEnd() ?? {};
    const reason = err === undefined ? complaintSince(dataDir, logged) : `${program} (${err.code})`;
    throw reason === null ? error : new Error(`the embedded PostgreSQL did not start: ${reason}`);
  }
  return { url: databaseUrl(connection), stop };
}

/** The owner's address of the embedded PostgreSQL that runs on a data dir, or null where none runs. */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const connection = readConnection(dataDir);
  if (connection === null) return null;
  const url = databaseUrl(connection);
  return (await canConnect(url)) ? url : null;
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

async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  if (await canConnect(databaseUrl(connection))) return;
  await withConnection(adminUrl(connection), (client) => client.query(`create database ${DATABASE}`));
}
