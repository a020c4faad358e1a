import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { waitUntilReady } from '../../src/platform/db/embedded.ts';
import { createLog } from '../../src/platform/log.ts';

const START = Date.parse('2031-05-20T12:00:00Z');
const BETWEEN_MS = 20_000;

function packet(kind: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(body, 'latin1')]);
}

const STARTING = packet('E', 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
const READY = packet('Z', 'I');
const WELCOME = Buffer.concat([packet('R', '\0\0\0\0'), READY]);
const DONE = Buffer.concat([packet('C', 'SELECT 1\0'), READY]);

type Answer = 'starting' | 'silent' | 'ready';

/** A server that gives each who knocks the next answer, the last one again and again, 20 seconds apart. */
async function startServer(t: TestContext, answers: Answer[]) {
  t.mock.timers.enable({ apis: ['Date'], now: START });
  let knocks = 0;
  const server = createServer((socket) => {
    const answer = answers[Math.min(knocks, answers.length - 1)];
    knocks += 1;
    t.mock.timers.setTime(START + knocks * BETWEEN_MS);
    socket.on('error', () => {});
    if (answer === 'silent') socket.destroy();
    else if (answer === 'starting') socket.once('data', () => socket.end(STARTING));
    else socket.once('data', () => socket.write(WELCOME) && socket.on('data', () => socket.write(DONE)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`;
  return { url, knocks: () => knocks };
}

const FAILED = { message: 'the embedded PostgreSQL did not start: see postgres.log in the data dir' };

test('a server that recovers for longer than 30 seconds is waited for, and that is logged', async (t) => {
  const { url, knocks } = await startServer(t, ['silent', 'starting', 'starting', 'starting', 'starting', 'ready']);
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  await waitUntilReady(url, { log, hasEnded: () => false });
  assert.equal(knocks(), 6);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).seconds),
    [40, 80],
  );
});

test('a server that falls silent for 30 seconds, or ends, is given up', async (t) => {
  const log = createLog('silent');
  const { url, knocks } = await startServer(t, ['starting', 'starting', 'silent']);
  await assert.rejects(waitUntilReady(url, { log, hasEnded: () => false }), FAILED);
  assert.equal(knocks(), 4);
  t.mock.timers.reset();
  const other = await startServer(t, ['starting']);
  await assert.rejects(waitUntilReady(other.url, { log, hasEnded: () => other.knocks() === 2 }), FAILED);
});
