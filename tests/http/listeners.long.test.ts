import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../src/settings.ts';
import { startApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/people-session.ts';
import { createHome, freePort, startServer } from '../support/server.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const LISTENING = '0A';

const LOOPBACK = '0100007F';

interface Listener {
  port: number;
  isLocal: boolean;
}

/** Where a process listens, as the kernel has it. */
function listenersOf(pid: number): Listener[] {
  const files = ifThere(() => readdirSync(`/proc/${pid}/fd`), []);
  const sockets = new Set(files.map((fd) => ifThere(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '')));
  const lines = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8').trim().split('\n').slice(1),
  );
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTENING && sockets.has(`socket:[${fields[9]}]`))
    .map((fields) => {
      const [address, port = ''] = (fields[1] ?? '').split(':');
      return { port: Number.parseInt(port, 16), isLocal: address === LOOPBACK };
    });
}

/** What the kernel tells of a process; a file may be closed, and a connection of the database ended, meanwhile. */
function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** A process and all that it has started. */
function familyOf(pid: number): number[] {
  const tasks = ifThere(() => readdirSync(`/proc/${pid}/task`), []);
  const children = tasks.flatMap((task) =>
    ifThere(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'), '')
      .trim()
      .split(' '),
  );
  return [pid, ...children.filter((child) => child !== '').flatMap((child) => familyOf(Number(child)))];
}

test('a server listens where docs/operations.md says, and nowhere else', async (t) => {
  const documented = [...PAGE.matchAll(/^\|.*\| `(CAREPOST_\w+_PORT)` \|$/gm)].map(([, name]) => name as string);
  const listening = Object.keys(SETTINGS).filter((name) => name.endsWith('_PORT') && name !== 'CAREPOST_MX_PORT');
  assert.deepEqual(documented.toSorted(), listening.toSorted());

  const home = await createHome(t);
  const ports = new Map<string, number>();
  for (const name of documented) ports.set(name, name === 'CAREPOST_HTTP_PORT' ? home.port : await freePort());
  const server = await startServer(t, home, {
    ...Object.fromEntries([...ports].map(([name, port]) => [name, String(port)])),
    CAREPOST_ACME_EMAIL: 'it@example.org',
    CAREPOST_ACME_DIRECTORY: 'https://127.0.0.1:1/directory',
    CAREPOST_PUBLIC_URL: 'https://care.example.org',
    CAREPOST_TRUSTED_PROXIES: '127.0.0.1',
  });
  const listeners = await eventually(async () => {
    const found = familyOf(server.pid).flatMap(listenersOf);
    return found.length > ports.size ? found : null;
  });
  const wanted = new Set(ports.values());
  assert.deepEqual(new Set(listeners.map(({ port }) => port)).intersection(wanted), wanted);
  const metrics = listeners.find(({ port }) => port === ports.get('CAREPOST_METRICS_PORT'));
  assert.equal(metrics?.isLocal, true);
  const [sandbox, ...more] = listeners.filter(({ port }) => !wanted.has(port));
  assert.equal(sandbox?.isLocal, true);
  assert.deepEqual(more, []);
});

test('with a door of their own operators are nobody at the public one, and it does not know their routes', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_OPERATOR_PORT: '0' } });
  const operator = await signIn(app, null, 'operator');
  const owner = await signIn(app, await app.createCustomer(), 'owner');
  const atDoor = (cookie: string, path: string) =>
    fetch(`http://127.0.0.1:${app.operatorPort}${path}`, { headers: { cookie } });

  for (const person of [operator, owner]) {
    assert.equal((await person.request('GET', '/app/api/operator/customers')).status, 404);
  }
  assert.equal((await operator.request('GET', '/app/api/sessions')).status, 401);
  assert.equal((await owner.request('GET', '/app/api/sessions')).status, 200);

  assert.equal((await atDoor(operator.cookie, '/app/api/operator/customers')).status, 200);
  assert.equal((await atDoor(operator.cookie, '/app/api/sessions')).status, 200);
  assert.equal((await atDoor(owner.cookie, '/app/api/operator/customers')).status, 403);
  assert.equal((await atDoor('', '/healthz')).status, 200);
});
