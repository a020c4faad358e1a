import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asOrdinaryUser } from '../../src/platform/db/as-ordinary-user.ts';
import { canConnect } from '../../src/platform/db/pool.ts';
import { LOGIN_ROLES, urlForRole } from '../../src/platform/db/roles.ts';
import { findDebianPackage } from './debian-package.ts';
import { eventually } from './eventually.ts';
import { freePort } from './server.ts';

/** Fewer connections than anybody asks for, lent in turns: two transactions of a client hardly ever share one. */
const SERVER_CONNECTIONS = 4;

export interface Pooler {
  /** The owner's address through it. */
  url: string;
  /** How many connections to PostgreSQL it opens for each user. */
  serverConnections: number;
  stop(): Promise<void>;
}

/**
 * PgBouncer in transaction mode before the PostgreSQL of an owner's address, for the owner and every role. It
 * outlives the product in a test: stop it after.
 */
export async function startPooler(ownerUrl: string): Promise<Pooler> {
  const { root, libraries } = findDebianPackage('pgbouncer', 'usr/sbin/pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'carepost-pooler-'));
  const port = await freePort();
  const users = [ownerUrl, ...LOGIN_ROLES.map((role) => urlForRole(ownerUrl, role))].map((each) => new URL(each));
  const list = users.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`).join('');
  writeFileSync(join(folder, 'users.txt'), list, { mode: 0o600 });
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(settings, settingsOf(new URL(ownerUrl), { port, users: join(folder, 'users.txt') }));
  const [command = '', ...args] = asOrdinaryUser([`${root}/usr/sbin/pgbouncer`, settings]);
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const url = new URL(ownerUrl);
  url.host = `127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the pooler did not start:\n${said}`);
    return canConnect(url.href);
  });
  return { url: url.href, serverConnections: SERVER_CONNECTIONS, stop };
}

function settingsOf({ hostname, port: serverPort }: URL, { port, users }: { port: number; users: string }): string {
  const at = `host=${decodeURIComponent(hostname)}${serverPort === '' ? '' : ` port=${serverPort}`}`;
  return `
    [databases]
    * = ${at}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = scram-sha-256
    auth_file = ${users}
    pool_mode = transaction
    max_client_conn = 500
    default_pool_size = ${SERVER_CONNECTIONS}
    min_pool_size = ${SERVER_CONNECTIONS}
    server_round_robin = 1
    verbose = 0
  `.replaceAll(/^ +/gm, '');
}
