import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { createDialler, type DiallerOptions } from '../../src/platform/net/dial.ts';
import { DialFailed, type DialFailure } from '../../src/platform/net/dial-failed.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { eventually } from '../support/eventually.ts';
import { createForAddress } from './address-certificate.ts';
import { connectToReceiver } from './connect-to-receiver.ts';
import { type Script, startReceiver } from './receiver.ts';

const NAME = 'hooks.example.test';
const PUBLIC = '93.184.216.34';
const SECRET = 'the content of the event';
const certificate = await createSelfSigned(NAME, new Date());

interface Trial {
  script?: Script;
  options?: Partial<DiallerOptions>;
  url?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** Calls a receiver once, and leaves the outcome to be looked at. */
async function attempt(t: TestContext, trial: Trial) {
  const receiver = await startReceiver(t, { certificate, ...trial.script });
  const { connect, asked } = connectToReceiver({ [PUBLIC]: receiver });
  const options = { resolve: async () => [PUBLIC], allowLoopback: false, authorities: certificate.cert, connect };
  const { url = `https://${NAME}/`, headers = {}, timeoutMs = 10_000 } = trial;
  const outcome = createDialler({ ...options, ...trial.options })({ url, headers, body: SECRET, timeoutMs });
  return { receiver, asked, outcome };
}

function neverAsked(): never {
  return assert.fail('looked up');
}

async function assertFails(outcome: Promise<unknown>, reason: DialFailure): Promise<void> {
  const error = await outcome.then(
    () => assert.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DialFailed, inspect(error));
  assert.deepEqual([error.reason, error.message], [reason, `the call failed: ${reason}`]);
  assert.equal(error.cause, undefined);
}

const other = await createSelfSigned('other.example.test', new Date());
const expired = await createSelfSigned(NAME, new Date('2000-01-01'));
const stranger = await createSelfSigned(NAME, new Date());
const forAddress = await createForAddress(PUBLIC, new Date());
const literal = `https://${PUBLIC}/`;

const BAD_TLS: Record<string, Trial> = {
  'shows a certificate for another name': { script: { certificate: other }, options: { authorities: other.cert } },
  'shows a certificate that nobody vouches for': { script: { certificate: stranger } },
  'shows an expired certificate': { script: { certificate: expired }, options: { authorities: expired.cert } },
  'shows the certificate of a name for an address': { url: literal },
  'shows the certificate of an address for a name': {
    script: { certificate: forAddress },
    options: { authorities: forAddress.cert },
  },
  'speaks TLS 1.1 at most': {
    script: { tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } },
  },
  'has ChaCha20 only': { script: { tls: { ciphers: 'TLS_CHACHA20_POLY1305_SHA256', minVersion: 'TLSv1.3' } } },
};

for (const [what, trial] of Object.entries(BAD_TLS)) {
  test(`a peer that ${what} hears nothing`, async (t) => {
    const { receiver, outcome } = await attempt(t, trial);
    await assertFails(outcome, 'tls');
    assert.equal(receiver.heard().length, 0);
  });
}

test('an address is called without a server name, and its certificate must have the address', async (t) => {
  const script = { certificate: forAddress };
  const { receiver, outcome } = await attempt(t, { url: literal, script, options: { authorities: forAddress.cert } });
  assert.equal((await outcome).status, 200);
  assert.deepEqual(receiver.names, [false]);
});

const drip = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 5);
  socket.once('close', () => clearInterval(timer));
};

const SLOW: Record<string, Trial> = {
  'whose name server is silent': { options: { resolve: () => new Promise(() => {}) } },
  'that does not take the connection': { options: { connect: () => new Socket() } },
  'that says nothing': { script: { answer: () => {} } },
  'that stops within the head': { script: { answer: (socket) => void socket.write('HTTP/1.1 200 OK\r\nX: ') } },
  'that stops within the body': {
    script: { answer: (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx') },
  },
  'that drips a body': {
    script: {
      answer: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        drip(socket, 'x');
      },
    },
  },
  'that asks for patience again and again': { script: { answer: (s) => drip(s, 'HTTP/1.1 103 Early Hints\r\n\r\n') } },
};

for (const [what, trial] of Object.entries(SLOW)) {
  test(`a peer ${what} is given up in time, and its connection closed`, async (t) => {
    const started = performance.now();
    const { receiver, outcome } = await attempt(t, { ...trial, timeoutMs: 200 });
    await assertFails(outcome, 'timeout');
    const took = performance.now() - started;
    assert.ok(took > 150 && took < 2_000, `${took} ms`);
    await eventually(async () => receiver.open() === 0);
  });
}

test('a peer that does not speak TLS hears nothing of the event', async (t) => {
  const clear = await startReceiver(t, { instead: (socket) => void socket.end(`HTTP/1.1 200 OK\r\n\r\n`) });
  const { connect } = connectToReceiver({ [PUBLIC]: clear });
  const { outcome } = await attempt(t, { options: { connect } });
  await assertFails(outcome, 'tls');
});

test('a peer that never answers the TLS handshake is given up in time', async (t) => {
  const silent = await startReceiver(t, { instead: (socket) => void socket.resume() });
  const { connect } = connectToReceiver({ [PUBLIC]: silent });
  const { outcome } = await attempt(t, { options: { connect }, timeoutMs: 200 });
  await assertFails(outcome, 'timeout');
  await eventually(async () => silent.open() === 0);
});

test('nothing is sent where the addresses come after the deadline', async (t) => {
  const late = Promise.withResolvers<string[]>();
  const { asked, outcome } = await attempt(t, { options: { resolve: () => late.promise }, timeoutMs: 20 });
  await assertFails(outcome, 'timeout');
  late.resolve([PUBLIC]);
  await new Promise(setImmediate);
  assert.deepEqual(asked, []);
});

test('an endless body is cut, and the status counts', async (t) => {
  let sent = 0;
  const answer = (socket: Socket) => {
    socket.write('HTTP/1.1 202 Accepted\r\n\r\n');
    const pour = () => {
      while (!socket.destroyed && socket.write('x'.repeat(16_384))) sent += 16_384;
    };
    socket.on('drain', pour);
    pour();
  };
  const { receiver, outcome } = await attempt(t, { script: { answer } });
  assert.deepEqual(await outcome, { status: 202, retryAfter: null });
  await eventually(async () => receiver.open() === 0);
  assert.ok(sent < 32 * 2 ** 20, `${sent} bytes, with all that the buffers on the way hold`);
});

const BROKEN: Record<string, Script['answer'] & {}> = {
  'closes without a reply': (socket) => void socket.destroy(),
  'ends without a reply': '',
  'speaks no HTTP': `220 ${SECRET}\r\n`,
  'speaks HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'sends a head without end': `HTTP/1.1 200 OK\r\n${'X-Long: x\r\n'.repeat(2_000)}`,
  'sends one header that is too long': `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  'sends half of the body': 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
  'sends a chunk that is none': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'changes to another protocol': 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  'says two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
};

for (const [what, answer] of Object.entries(BROKEN)) {
  test(`a peer that ${what} is a broken call`, async (t) => {
    const { receiver, asked, outcome } = await attempt(t, { script: { answer } });
    await assertFails(outcome, 'broken');
    assert.equal(asked.length, 1);
    await eventually(async () => receiver.open() === 0);
  });
}

test('a connection that is refused, reset or without a route all look alike', async (t) => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'ETIMEDOUT']) {
    const connect = () => {
      const socket = new Socket();
      setImmediate(() => socket.destroy(Object.assign(new Error(`connect ${code} ${PUBLIC}`), { code })));
      return socket;
    };
    const { outcome } = await attempt(t, { options: { connect } });
    await assertFails(outcome, 'unreachable');
  }
});

test('a name without addresses, or whose name server fails, is unresolved', async (t) => {
  for (const resolve of [async () => [], async () => Promise.reject(new Error(SECRET))]) {
    const { asked, outcome } = await attempt(t, { options: { resolve } });
    await assertFails(outcome, 'unresolved');
    assert.deepEqual(asked, []);
  }
});

const BAD_HEADERS: [string, string][] = [
  ...[
    'a\r\nX-More: b',
    'a\nb',
    'a\rb',
    'a\r\n\r\nGET / HTTP/1.1',
    'a\0b',
    'a\u0085b',
    'a\u2028b',
    'ä',
    '\u010a',
    '\x7f',
  ].map((value): [string, string] => ['X-Value', value]),
  ...['', 'a b', 'a:b', 'a\r\nb', 'ä', 'a\0'].map((name): [string, string] => [name, 'x']),
  ...`Host HOST Content-Length Transfer-Encoding Connection Keep-Alive Upgrade TE Trailer Expect Proxy-Authorization`
    .split(' ')
    .map((name): [string, string] => [name, '100-continue']),
];

for (const [name, value] of BAD_HEADERS) {
  test(`the header ${JSON.stringify(`${name}: ${value}`)} is refused before anything is opened`, async (t) => {
    const { asked, outcome } = await attempt(t, {
      headers: { 'X-Good': 'x', [name]: value },
      options: { resolve: neverAsked },
    });
    await assertFails(outcome, 'refused-target');
    assert.deepEqual(asked, []);
  });
}
