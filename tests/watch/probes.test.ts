import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { ownAddress } from '../support/own-address.ts';
import { freePort } from '../support/server.ts';

const CHECK = join(import.meta.dirname, '../../deploy/docker/healthcheck.mjs');

/** A process with a port for metrics, what it says there, and what the health check of its container makes of it. */
async function startWatched(t: TestContext, more: Record<string, string>) {
  const port = String(await freePort());
  const env: Record<string, string> = { CAREPOST_METRICS_PORT: port, ...more };
  const app = await startApp(t, { env });
  const host = env.CAREPOST_METRICS_HOST ?? '127.0.0.1';
  return {
    app,
    port: Number(port),
    async says(path: string): Promise<[number, string]> {
      const reply = await fetch(`http://${host}:${port}${path}`);
      return [reply.status, await reply.text()];
    },
    async check(): Promise<unknown> {
      const [code] = await once(spawn(process.execPath, [CHECK], { env, stdio: 'ignore' }), 'exit');
      return code;
    },
  };
}

/** Cuts a process off from its database; answers how to give it back. */
async function cutOff({ installation }: TestApp): Promise<() => Promise<unknown>> {
  const url = new URL(installation.ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const asAdmin = (text: string) => withConnection(url.href, (client) => client.query(text));
  await asAdmin(`alter database ${name} with allow_connections false`);
  await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  return () => asAdmin(`alter database ${name} with allow_connections true`);
}

test('a worker says that it lives and whether it can work, where its settings say', async (t) => {
  const { app, says, check } = await startWatched(t, {
    CAREPOST_ROLES: 'worker',
    CAREPOST_METRICS_HOST: '127.0.0.2',
  });
  assert.deepEqual(await says('/healthz'), [200, '{"status":"ok"}']);
  assert.deepEqual(await says('/readyz'), [200, '{"status":"ready"}']);
  assert.equal((await says('/metrics'))[0], 200);
  assert.equal((await says('/'))[0], 404);
  assert.equal(await check(), 0);
  const giveBack = await cutOff(app);
  assert.deepEqual(await says('/readyz'), [503, '{"status":"unavailable"}']);
  assert.equal((await says('/healthz'))[0], 200);
  assert.equal(await check(), 1);
  await giveBack();
  await eventually(async () => (await says('/readyz'))[0] === 200);
  await app.stop();
  assert.equal(await check(), 1);
});

test('a process that stops is not ready and still tells its metrics', async (t) => {
  const { app, says } = await startWatched(t, { CAREPOST_DRAIN_SECONDS: '2' });
  assert.equal((await says('/readyz'))[0], 200);
  const stopped = app.stop();
  await eventually(async () => (await says('/readyz'))[0] === 503);
  assert.equal((await says('/metrics'))[0], 200);
  await stopped;
});

test('connections on which nothing is asked for metrics do not hold up the end', async (t) => {
  const { app, port } = await startWatched(t, { CAREPOST_ROLES: 'worker' });
  for (const begun of ['', 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n']) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    socket.write(begun);
  }
  const start = performance.now();
  await app.stop();
  assert.ok(performance.now() - start < 10_000);
});

test('at the main port metrics are for this machine itself, and not for what a proxy passes on or asks', async (t) => {
  const address = ownAddress();
  const proxies = ['127.0.0.1', ...(address === undefined ? [] : [address])];
  const env = { CAREPOST_HTTP_HOST: '0.0.0.0', CAREPOST_TRUSTED_PROXIES: proxies.join() };
  const app = await startApp(t, { env });
  assert.equal((await app.request('GET', '/metrics')).status, 200);
  const passedOn = await app.request('GET', '/metrics', { headers: { 'x-forwarded-for': '198.51.100.7' } });
  assert.equal(passedOn.status, 404);
  if (address === undefined) return;
  const other = app.url.replace('127.0.0.1', address);
  assert.equal((await fetch(`${other}/healthz`)).status, 200, 'trusted for all else');
  assert.equal((await fetch(`${other}/metrics`)).status, 404);
});
