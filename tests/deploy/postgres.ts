import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { asOrdinaryUser } from '../../src/platform/db/as-ordinary-user.ts';
import { locateBinaries } from '../../src/platform/db/embedded-binaries.ts';
import { canConnect } from '../../src/platform/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/server.ts';

const PASSWORD = 'CHANGE-ME';

/** A PostgreSQL as an operator or a container runs it. */
interface Server {
  /** By the network, as the product comes. */
  addressOf(user: string, database: string): string;
  /** By the socket, as somebody on the machine comes. */
  localAddressOf(user: string, database: string): string;
}

/** A new PostgreSQL with a superuser of that name, started with those settings on a port of loopback. */
export async function startPostgres(t: TestContext, superuser: string, settings: string[]): Promise<Server> {
  const binaries = locateBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'carepost-pg-'));
  const cluster = join(folder, 'cluster');
  const sockets = join(folder, 'run');
  const passwordFile = join(folder, 'password');
  mkdirSync(sockets);
  writeFileSync(passwordFile, PASSWORD);
  const [init = '', ...initArgs] = asOrdinaryUser([
    join(binaries, 'initdb'),
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--no-sync',
  ]);
  const made = spawnSync(init, initArgs, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const here = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${sockets}`, 'fsync=off'];
  const options = [...settings, ...here].flatMap((setting) => ['-c', setting]);
  const [command = '', ...args] = asOrdinaryUser([join(binaries, 'postgres'), '-D', cluster, ...options]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  });
  const localAddressOf = (user: string, database: string) =>
    `postgres://${user}:${PASSWORD}@${encodeURIComponent(sockets)}:${port}/${database}`;
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
    return canConnect(localAddressOf(superuser, 'postgres'));
  });
  return {
    addressOf: (user, database) => `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`,
    localAddressOf,
  };
}
