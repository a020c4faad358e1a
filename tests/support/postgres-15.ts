import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { asOrdinaryUser } from '../../src/platform/db/embedded.ts';
import { canConnect, withConnection } from '../../src/platform/db/pool.ts';
import { findDebianPackage } from './debian-package.ts';
import { eventually } from './eventually.ts';

/** A server as an operator brings it. */
export interface OwnServer {
  /** An empty database whose owner is no superuser. */
  createDatabase(): Promise<string>;
}

/** The oldest PostgreSQL that the product runs on, as Debian has it; stopped and removed when the test ends. */
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
  const sockets = join(folder, 'run');
  mkdirSync(sockets);
  const settings = ['listen_addresses=', `unix_socket_directories=${sockets}`, 'fsync=off', 'shared_buffers=64MB'];
  const [command = '', ...args] = asOrdinaryUser([
    `${programs}/postgres`,
    '-D',
    cluster,
    ...settings.flatMap((setting) => ['-c', setting]),
  ]);
  const child = spawn(command, args, { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  });
  const addressOf = (user: string, database: string) =>
    `postgres://${user}:secret@${encodeURIComponent(sockets)}/${database}`;
  const admin = addressOf('postgres', 'postgres');
  await eventually(() => canConnect(admin));
  await withConnection(admin, (client) => client.query(`create role modest login createrole password 'secret'`));
  return {
    createDatabase: async () => {
      const name = `empty_${randomBytes(6).toString('hex')}`;
      await withConnection(admin, (client) => client.query(`create database ${name} owner modest`));
      return addressOf('modest', name);
    },
  };
}
