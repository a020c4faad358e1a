import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { asOrdinaryUser } from '../../src/platform/db/as-ordinary-user.ts';
import { canConnect, withConnection } from '../../src/platform/db/pool.ts';
import { findDebianPackage } from './debian-package.ts';
import { eventually } from './eventually.ts';

/** A server as an operator brings it. */
export interface OwnServer {
  /** The folder with its programs, and what they need to be run. */
  programs: string;
  env: { LD_LIBRARY_PATH: string };
  /** The superuser's address. */
  admin: string;
  /** An empty database whose owner is no superuser. */
  createDatabase(): Promise<string>;
  /** Runs another one on a data directory with the same settings; answers where a database is found on it. */
  startOn(cluster: string): Promise<(url: string) => string>;
}

const SETTINGS = { config_file: 'postgresql.conf', hba_file: 'pg_hba.conf', ident_file: 'pg_ident.conf' };

/**
 * The oldest PostgreSQL that the product runs on, as Debian has it, with its settings apart from its data; stopped and
 * removed when the test ends.
 */
export async function startPostgres15(t: TestContext): Promise<OwnServer> {
  const { root, libraries } = findDebianPackage('postgresql-15', 'usr/lib/postgresql/15/bin/postgres');
  const programs = `${root}/usr/lib/postgresql/15/bin`;
  const folder = mkdtempSync(join(tmpdir(), 'carepost-pg15-'));
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, LC_ALL: 'C.UTF-8' };
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'secret');
  const [init = '', ...initArgs] = asOrdinaryUser([
    `${programs}/initdb`,
    `--pgdata=${cluster}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-sync',
  ]);
  const made = spawnSync(init, initArgs, { env, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  for (const file of Object.values(SETTINGS)) renameSync(join(cluster, file), join(folder, file));
  const stops: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true });
  });

  const start = (data: string): string => {
    const sockets = join(folder, `run${stops.length}`);
    mkdirSync(sockets);
    const settings = [
      ...Object.entries(SETTINGS).map(([name, file]) => `${name}=${join(folder, file)}`),
      'listen_addresses=',
      `unix_socket_directories=${sockets}`,
      'fsync=off',
      'shared_buffers=64MB',
    ];
    const server = [`${programs}/postgres`, '-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const [command = '', ...args] = asOrdinaryUser(server);
    const child = spawn(command, args, { env, stdio: 'ignore' });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    stops.push(async () => {
      child.kill('SIGINT');
      await ended;
    });
    return sockets;
  };

  const addressOf = addressOn(start(cluster));
  const admin = addressOf('postgres', 'postgres');
  await eventually(() => canConnect(admin));
  await withConnection(admin, (client) => client.query(`create role modest login createrole password 'secret'`));
  return {
    programs,
    env: { LD_LIBRARY_PATH: libraries },
    admin,
    createDatabase: async () => {
      const name = `empty_${randomBytes(6).toString('hex')}`;
      await withConnection(admin, (client) => client.query(`create database ${name} owner modest`));
      return addressOf('modest', name);
    },
    startOn: async (data) => {
      const addressThere = addressOn(start(data));
      await eventually(() => isRecovered(addressThere('postgres', 'postgres')));
      return (url) => addressThere(new URL(url).username, new URL(url).pathname.slice(1));
    },
  };
}

function addressOn(sockets: string) {
  return (user: string, database: string) => `postgres://${user}:secret@${encodeURIComponent(sockets)}/${database}`;
}

async function isRecovered(url: string): Promise<boolean> {
  try {
    const { rows } = await withConnection(url, (client) => client.query('select where not pg_is_in_recovery()'));
    return rows.length > 0;
  } catch {
    return false; // not started yet
  }
}
