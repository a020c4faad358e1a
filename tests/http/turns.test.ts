import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createTurns } from '../../src/platform/http/limits/turns.ts';
import { currentRequestId, onBehalfOf } from '../../src/platform/request-context.ts';
import { startApp } from '../support/app.ts';

const MOST_AT_ONCE = 64;
const MOST_IN_A_TURN = 16;

function originOf(): { network: string; caller: string } {
  return { network: '127.0.0.1', caller: '' };
}

/** Lets as many turns of the event loop go by as it takes to begin with all that may be begun. */
async function settled(): Promise<void> {
  for (let turn = 0; turn <= MOST_AT_ONCE / MOST_IN_A_TURN; turn += 1) await new Promise(setImmediate);
}

/** Requests by number, and who of them went on. */
function setUp() {
  let time = 0;
  const turns = createTurns(() => time);
  const wentOn: number[] = [];
  const replies: (EventEmitter & { destroyed: boolean })[] = [];
  const come = async (count: number, caller = 'one') => {
    for (let each = 0; each < count; each += 1) {
      const index = replies.push(Object.assign(new EventEmitter(), { destroyed: false })) - 1;
      turns.wait(
        replies[index] as unknown as ServerResponse,
        () => ({ network: '127.0.0.1', caller }),
        () => wentOn.push(index),
      );
    }
    await settled();
  };
  const end = async (...ended: number[]) => {
    for (const index of ended) {
      const reply = replies[index] as (typeof replies)[number];
      reply.destroyed = true;
      reply.emit('close');
    }
    await settled();
  };
  const pass = async (ms: number) => {
    time += ms;
    turns.look();
    await settled();
  };
  return { wentOn, come, end, pass };
}

function firstOf(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

test('a few dozen requests are worked on at once, the others of one caller in the order they came', async () => {
  const { wentOn, come, end } = setUp();
  await come(MOST_AT_ONCE - 1);
  await come(1);
  assert.deepEqual(wentOn, firstOf(MOST_AT_ONCE));
  await come(2);
  assert.equal(wentOn.length, MOST_AT_ONCE);
  await end(7);
  assert.deepEqual(wentOn, firstOf(MOST_AT_ONCE + 1));
  await end(3, 4);
  assert.deepEqual(wentOn, firstOf(MOST_AT_ONCE + 2));
  await come(1);
  assert.equal(wentOn.length, MOST_AT_ONCE + 3);
});

test('whoever comes while another has hundreds waiting is the next but one', async () => {
  const { wentOn, come, end } = setUp();
  await come(MOST_AT_ONCE + 200, 'one who floods');
  await come(1, 'another');
  await end(0, 1);
  assert.deepEqual(wentOn.slice(MOST_AT_ONCE), [MOST_AT_ONCE, MOST_AT_ONCE + 200]);
});

test('those who are answered at once are a few at most in a turn of the event loop', async () => {
  let wentOn = 0;
  const turns = createTurns(() => 0);
  for (let each = 0; each < 3 * MOST_IN_A_TURN; each += 1) {
    const reply = new EventEmitter();
    turns.wait(reply as unknown as ServerResponse, originOf, () => {
      wentOn += 1;
      reply.emit('close');
    });
  }
  const seen = [wentOn];
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise(setImmediate);
    seen.push(wentOn);
  }
  assert.deepEqual(
    seen,
    [1, 2, 3, 3].map((turn) => turn * MOST_IN_A_TURN),
  );
});

test('whoever hung up while waiting does not get a turn', async () => {
  const { wentOn, come, end } = setUp();
  await come(MOST_AT_ONCE + 2);
  await end(MOST_AT_ONCE, 0);
  assert.deepEqual(wentOn, [...firstOf(MOST_AT_ONCE), MOST_AT_ONCE + 1]);
});

test('who goes on late does so on behalf of itself, not of the one who made room', async () => {
  const turns = createTurns(() => 0);
  const replies = firstOf(MOST_AT_ONCE + 1).map(() => new EventEmitter() as unknown as ServerResponse);
  const said: (string | undefined)[] = [];
  for (const [index, reply] of replies.entries())
    onBehalfOf(`request ${index}`, () => turns.wait(reply, originOf, () => said.push(currentRequestId())));
  await settled();
  onBehalfOf('request 5', () => replies[5]?.emit('close'));
  await settled();
  assert.equal(said.at(-1), `request ${MOST_AT_ONCE}`);
});

test('those that take half a second no longer keep the others waiting', async () => {
  const { wentOn, come, end, pass } = setUp();
  await come(MOST_AT_ONCE - 1);
  await pass(300);
  await come(3);
  await pass(199);
  assert.equal(wentOn.length, MOST_AT_ONCE);
  await pass(1);
  assert.equal(wentOn.length, MOST_AT_ONCE + 2);
  await end(0); // no longer counted, so that nobody goes on for it
  await come(MOST_AT_ONCE - 3);
  assert.equal(wentOn.length, MOST_AT_ONCE + 2 + MOST_AT_ONCE - 3);
  await come(1);
  assert.equal(wentOn.length, MOST_AT_ONCE + 2 + MOST_AT_ONCE - 3);
});

test('bodies that never come keep nobody else from being answered', async (t) => {
  const app = await startApp(t);
  const { key } = await app.createCustomer();
  const { port } = new URL(app.url);
  const head = `POST /v1/email/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n`;
  const sockets = Array.from({ length: MOST_AT_ONCE }, () => connect(Number(port), '127.0.0.1'));
  for (const socket of sockets) await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  const { status } = await app.request('GET', '/v1/email/sandbox/messages', { key });
  const givenUp = sockets.filter(({ bytesRead }) => bytesRead > 0);
  for (const socket of sockets) socket.destroy();
  assert.equal(status, 200);
  assert.equal(givenUp.length, 0);
});

function headOf(key: string): string {
  return `Host: a\r\nAuthorization: Bearer ${key}\r\n`;
}

test('a customer who floods keeps nobody else waiting for all of it', async (t) => {
  const app = await startApp(t);
  const [flooder, calm] = [await app.createCustomer(), await app.createCustomer()];
  // Both keys are known from here on, so that neither waits for the look into the database.
  for (const { key } of [flooder, calm]) await app.request('GET', '/v1/email/sandbox/messages', { key });
  const port = Number(new URL(app.url).port);
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const holders = await Promise.all(Array.from({ length: MOST_AT_ONCE }, open));
  const flood = await Promise.all(Array.from({ length: 4 * MOST_AT_ONCE }, open));
  const lone = await open();
  const answered: Socket[] = [];
  const replies = [...flood, lone].map((socket) => once(socket, 'data').then(() => answered.push(socket)));
  const inbox = 'GET /v1/email/sandbox/messages HTTP/1.1\r\n';
  for (const socket of holders) // take a turn each, for as long as bodies that do not come are waited for
    socket.write(
      `POST /v1/email/messages HTTP/1.1\r\n${headOf(flooder.key)}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    );
  for (const socket of flood) socket.write(`${inbox}${headOf(flooder.key)}\r\n`);
  lone.write(`${inbox}${headOf(calm.key)}\r\n`);
  await Promise.all(replies);
  for (const socket of [...holders, ...flood, lone]) socket.destroy();
  assert.ok(
    answered.indexOf(lone) < answered.length / 2,
    `${answered.indexOf(lone)} of ${answered.length} came before`,
  );
});

test('three times as many as are worked on at once are all answered', async (t) => {
  const app = await startApp(t);
  const { key } = await app.createCustomer();
  const message = { recipients: ['ann@example.com'], headers: { from: 'clinic@example.org', subject: 'News' } };
  const ask = () => app.request('POST', '/v1/email/messages', { key, body: { data: { message } } });
  const replies = await Promise.all(Array.from({ length: 3 * MOST_AT_ONCE }, ask));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
});
