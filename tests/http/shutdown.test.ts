import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import { prepareClose } from '../../src/platform/http/close-server.ts';
import { startApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

async function openConnection(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** A server with one slow answer, closed within a tenth of a second. */
async function startSlowServer() {
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const server = fastify();
  server.get('/', () => {
    arrived.resolve();
    return answer.promise;
  });
  const close = prepareClose(server, 100);
  await server.listen({ port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { arrived: arrived.promise, answer: answer.resolve, close, port };
}

test('connections on which nothing is asked do not hold up the end', async (t) => {
  const app = await startApp(t);
  const port = Number(new URL(app.url).port);
  const silent = await openConnection(t, port);
  const idle = await openConnection(t, port);
  idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(idle, 'data');
  const ends = [closeOf(silent), closeOf(idle)];
  const start = performance.now();
  await app.stop();
  await Promise.all(ends);
  assert.ok(performance.now() - start < 5_000);
});

test('half a request is not waited for without end', async (t) => {
  const { close, port } = await startSlowServer();
  const half = await openConnection(t, port);
  half.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
  await fetch(`http://127.0.0.1:${port}/after-it`).then((reply) => reply.text());
  await Promise.all([closeOf(half), close()]);
});

test('a request under way is answered before the end', async () => {
  const { arrived, answer, close, port } = await startSlowServer();
  const reply = fetch(`http://127.0.0.1:${port}/`);
  await arrived;
  const closed = close();
  answer('done');
  assert.equal(await (await reply).text(), 'done');
  await closed;
});

test('a request that never ends is cut off in time', async () => {
  const { arrived, close, port } = await startSlowServer();
  const reply = fetch(`http://127.0.0.1:${port}/`);
  await arrived;
  await Promise.all([assert.rejects(reply), close()]);
});

test('what comes on a connection that is still at work is answered before the end, which then waits for nothing', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.createCustomer();
  const socket = await openConnection(t, Number(new URL(app.url).port));
  let heard = '';
  socket.on('data', (bytes) => (heard += String(bytes)));
  const form = JSON.stringify({ title: 'Intake', form_json: { fields: [] }, customer_id: id });
  const head = ['POST /api/forms HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, 'Expect: 100-continue'];
  socket.write([...head, `Content-Length: ${form.length}`, '', ''].join('\r\n'));
  await eventually(async () => heard.startsWith('HTTP/1.1 100 ')); // by then it is under way
  const stopped = app.stop();
  await eventually(() =>
    fetch(`${app.url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  const start = performance.now();
  socket.write(`${form}GET /v1/email HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await Promise.all([closeOf(socket), stopped]);
  assert.ok(performance.now() - start < 5_000);
  const [, first = '', second = ''] = heard.split(/HTTP\/1\.1 (?=\d)/).slice(1);
  assert.match(first, /^200 /);
  assert.match(second, /^200 [\s\S]*\r\nx-request-id: /i);
});
