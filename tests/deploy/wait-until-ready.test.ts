import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

const SCRIPT = join(import.meta.dirname, '../../deploy/systemd/wait-until-ready.mjs');

test('what waits for the service ends with it, so that systemd starts it again', async () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  assert.equal(await waitFor({ MAINPID: String(ended), CAREPOST_METRICS_PORT: '1' }), 1);
  assert.equal(await waitFor({ CAREPOST_METRICS_PORT: '1' }), 1);
});

test('while the service lives it is waited for until it can do its work', async (t) => {
  let asked = 0;
  const server = createServer((_request, reply) => {
    asked++;
    reply.writeHead(asked < 3 ? 503 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal(await waitFor({ MAINPID: String(process.pid), CAREPOST_METRICS_PORT: String(port) }), 0);
  assert.equal(asked, 3);
});

/** The code that it exits with; null where it had to be ended. */
async function waitFor(settings: Record<string, string>): Promise<number | null> {
  const waiting = spawn(process.execPath, [SCRIPT], { env: { ...process.env, ...settings }, timeout: 10_000 });
  const [code] = (await once(waiting, 'exit')) as [number | null];
  return code;
}
