import assert from 'node:assert/strict';
import { connect as connectTcp, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createDialler, type DiallerOptions, type DialRequest } from '../../src/platform/net/dial.ts';
import { DialFailed } from '../../src/platform/net/dial-failed.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { eventually } from '../support/eventually.ts';
import { connectToReceiver } from './connect-to-receiver.ts';
import { OK, type Script, startReceiver } from './receiver.ts';

const NAME = 'hooks.example.test';
const PUBLIC = '93.184.216.34';
const OTHER = '2606:4700::1111';
const certificate = await createSelfSigned(NAME, new Date());
const authorities = certificate.cert;
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

function callOf(more: Partial<DialRequest> = {}): DialRequest {
  return { url: `https://${NAME}/hook`, headers: {}, body: '{}', timeoutMs: 10_000, ...more };
}

function neverAsked(): never {
  return assert.fail('looked up');
}

/** A connection that is refused. */
function refusedSocket(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(new Error('connect ECONNREFUSED')));
  return socket;
}

function failsWith(reason: string) {
  return (error: unknown) => error instanceof DialFailed && error.reason === reason;
}

/** A receiver behind the public address that the name has, and a dialler that trusts it. */
async function startPair(t: TestContext, script: Script = {}, options: Partial<DiallerOptions> = {}) {
  const receiver = await startReceiver(t, { certificate, ...script });
  const { connect, asked } = connectToReceiver({ [PUBLIC]: receiver, [OTHER]: receiver });
  const resolve = async () => [PUBLIC];
  const dial = createDialler({ resolve, allowLoopback: false, authorities, connect, ...options });
  return { receiver, asked, dial };
}

test('headers and body arrive byte for byte, under the name that was called', async (t) => {
  const { receiver, asked, dial } = await startPair(t);
  const url = `https://${NAME}/a%20b/ä?q=1&r='#part`;
  const headers = {
    'webhook-id': 'msg_1',
    'Content-Type': 'application/json',
    'X-Empty': '',
    'X-Odd': 'a\tb "c"; d=~',
  };
  assert.deepEqual(await dial(callOf({ url, headers, body: EVERY_BYTE })), { status: 200, retryAfter: null });
  const head = [
    'POST /a%20b/%C3%A4?q=1&r=%27 HTTP/1.1',
    'webhook-id: msg_1',
    'Content-Type: application/json',
    'X-Empty: ',
    'X-Odd: a\tb "c"; d=~',
    `Host: ${NAME}`,
    'Content-Length: 256',
    'Connection: close',
  ].join('\r\n');
  assert.deepEqual(receiver.heard(), Buffer.concat([Buffer.from(`${head}\r\n\r\n`), EVERY_BYTE]));
  assert.deepEqual(receiver.names, [NAME]);
  assert.deepEqual(asked, [`${PUBLIC} 443`]);
});

test('a text goes as UTF-8, and another port into the Host header', async (t) => {
  const { receiver, asked, dial } = await startPair(t);
  await dial(callOf({ url: `https://${NAME}:8443/`, body: 'größer' }));
  assert.match(
    receiver.heard().toString(),
    /\r\nHost: hooks\.example\.test:8443\r\nContent-Length: 8\r\n.*\r\n\r\ngrößer$/s,
  );
  assert.deepEqual(asked, [`${PUBLIC} 8443`]);
});

for (const status of [200, 204, 301, 302, 303, 307, 308, 400, 404, 410, 429, 500, 503]) {
  test(`a ${status} is given back and no redirect followed`, async (t) => {
    const canary = await startReceiver(t);
    const location = `http://127.0.0.1:${canary.port}/`;
    const answer = `HTTP/1.1 ${status} Secret\r\nLocation: ${location}\r\nRefresh: 0; url=${location}\r\n\r\n`;
    const { asked, dial } = await startPair(t, { answer });
    assert.deepEqual(await dial(callOf()), { status, retryAfter: null });
    assert.equal(asked.length, 1);
    assert.equal(canary.connections(), 0);
  });
}

const WAITS: [string, string | null][] = [
  ['120', '120'],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
  ['soon', null],
  ['-1', null],
  ['1e9', null],
  ['9'.repeat(20), '9'.repeat(20)],
  ['9'.repeat(21), null],
  ['<script>alert(1)</script>', null],
];

for (const [sent, kept] of WAITS) {
  test(`Retry-After: ${sent} is ${kept === null ? 'not ' : ''}passed on`, async (t) => {
    const { dial } = await startPair(t, {
      answer: `HTTP/1.1 503 x\r\nRetry-After: ${sent}\r\nContent-Length: 0\r\n\r\n`,
    });
    assert.deepEqual(await dial(callOf()), { status: 503, retryAfter: kept });
  });
}

const SETS = [
  ['127.0.0.1'],
  [PUBLIC, '127.0.0.1'],
  ['127.0.0.1', PUBLIC],
  [PUBLIC, '::1'],
  [OTHER, '10.0.0.1', PUBLIC],
];
const MORE = [
  ['::ffff:127.0.0.1'],
  ['169.254.169.254'],
  [`${OTHER}%eth0`],
  ['2130706433'],
  ['localhost'],
  [PUBLIC, ''],
];

for (const addresses of [...SETS, ...MORE, [...Array.from({ length: 9 }, () => PUBLIC), '10.0.0.1']]) {
  for (const allowLoopback of [false, true]) {
    test(`a name at ${addresses.join()} is refused as a whole, loopback allowed: ${allowLoopback}`, async (t) => {
      const { asked, dial } = await startPair(t, {}, { resolve: async () => addresses, allowLoopback });
      await assert.rejects(dial(callOf()), failsWith('refused-target'));
      assert.deepEqual(asked, []);
    });
  }
}

test('a name is looked up once for each call, and the connection goes to what was checked', async (t) => {
  const questions: string[] = [];
  const resolve = async (name: string) => (questions.push(name) === 1 ? [PUBLIC] : ['127.0.0.1']);
  const { asked, dial } = await startPair(t, {}, { resolve });
  assert.equal((await dial(callOf())).status, 200);
  await assert.rejects(dial(callOf()), failsWith('refused-target'));
  assert.deepEqual(questions, [NAME, NAME]);
  assert.deepEqual(asked, [`${PUBLIC} 443`]);
});

test('a URL that must not be called is refused before a look-up or a connection', async (t) => {
  const canary = await startReceiver(t);
  const { asked, dial } = await startPair(t, {}, { resolve: neverAsked });
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    'user@example.com',
    'db.internal',
  ]) {
    for (const scheme of ['http', 'https']) {
      await assert.rejects(dial(callOf({ url: `${scheme}://${host}:${canary.port}/` })), failsWith('refused-target'));
    }
  }
  assert.deepEqual(asked, []);
  assert.equal(canary.connections(), 0);
});

test('loopback is called in clear and without a look-up where it is allowed', async (t) => {
  const receiver = await startReceiver(t);
  const dial = createDialler({ resolve: neverAsked, allowLoopback: true });
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '127.1']) {
    assert.equal((await dial(callOf({ url: `http://${host}:${receiver.port}/` }))).status, 200, host);
  }
  assert.match(receiver.heard().toString(), /\r\nHost: 127\.0\.0\.1:\d+\r\n.*\r\nHost: localhost:\d+\r\n/s);
});

test('https to loopback is verified like any other', async (t) => {
  const local = await createSelfSigned('localhost', new Date());
  const receiver = await startReceiver(t, { certificate: local });
  const url = `https://localhost:${receiver.port}/`;
  const options = { resolve: async () => [], allowLoopback: true };
  assert.equal((await createDialler({ ...options, authorities: local.cert })(callOf({ url }))).status, 200);
  await assert.rejects(createDialler(options)(callOf({ url })), failsWith('tls'));
});

test('the next address is tried where one refuses the connection or does not answer', async (t) => {
  const { port } = await startReceiver(t, { certificate });
  const { connect, asked } = connectToReceiver({
    [PUBLIC]: refusedSocket(),
    '1.1.1.1': new Socket(),
    [OTHER]: { port },
  });
  const resolve = async () => [PUBLIC, '1.1.1.1', OTHER];
  const dial = createDialler({ resolve, allowLoopback: false, authorities, connect });
  assert.equal((await dial(callOf({ timeoutMs: 3_000 }))).status, 200);
  assert.deepEqual(asked, [`${PUBLIC} 443`, '1.1.1.1 443', `${OTHER} 443`]);
});

test('a request that was written is never sent again, to no address', async (t) => {
  const { receiver, asked, dial } = await startPair(
    t,
    { answer: (socket) => void socket.destroy() },
    { resolve: async () => [PUBLIC, OTHER, PUBLIC] },
  );
  await assert.rejects(dial(callOf()), failsWith('broken'));
  assert.equal(asked.length, 1);
  assert.equal(receiver.heard().toString().match(/POST/g)?.length, 1);
});

/** Answers the first bytes of a request and reads no further. */
function answerEarly(socket: Socket): void {
  socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too large\r\nContent-Length: 0\r\n\r\n'));
}

test('a reply that comes before the body was taken counts, and ends the connection', async (t) => {
  const receiver = await startReceiver(t, { certificate, instead: answerEarly });
  const opened: Socket[] = [];
  const connect = () => {
    const socket = connectTcp(receiver.port, '127.0.0.1');
    opened.push(socket);
    return socket;
  };
  const dial = createDialler({ resolve: async () => [PUBLIC], allowLoopback: false, authorities, connect });
  assert.equal((await dial(callOf({ body: Buffer.alloc(64 * 2 ** 20) }))).status, 413);
  await eventually(async () => opened.every(({ destroyed }) => destroyed));
});

test('of a name with very many addresses, four are tried', async () => {
  const many = Array.from({ length: 500 }, () => PUBLIC);
  let tried = 0;
  const connect = () => {
    tried += 1;
    return refusedSocket();
  };
  await assert.rejects(
    createDialler({ resolve: async () => many, allowLoopback: false, connect })(callOf()),
    failsWith('unreachable'),
  );
  assert.equal(tried, 4);
});

test('a wrong certificate is the end of it, whatever other addresses there are', async (t) => {
  const other = await createSelfSigned('other.example.test', new Date());
  const { asked, dial } = await startPair(t, { certificate: other }, { resolve: async () => [PUBLIC, OTHER] });
  await assert.rejects(dial(callOf()), failsWith('tls'));
  assert.equal(asked.length, 1);
});

test('a thousand calls at once keep to their own addresses and leave nothing open', async (t) => {
  const { receiver, asked, dial } = await startPair(t, { answer: OK });
  let turn = 0;
  const canary = await startReceiver(t);
  const rebinding = createDialler({
    resolve: async () => (turn++ % 2 === 0 ? [PUBLIC] : [PUBLIC, '127.0.0.1']),
    allowLoopback: false,
    authorities,
    connect: (address, port) => {
      asked.push(`${address} ${port}`);
      return address === PUBLIC ? connectTcp(receiver.port, '127.0.0.1') : connectTcp(port, address);
    },
  });
  assert.equal((await dial(callOf())).status, 200);
  const url = `https://${NAME}:${canary.port}/`;
  const calls = Array.from({ length: 1_000 }, () => rebinding(callOf({ url, timeoutMs: 60_000 })));
  const outcomes = await Promise.allSettled(calls);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 500);
  assert.equal(asked.length, 501);
  assert.equal(canary.connections(), 0);
});
