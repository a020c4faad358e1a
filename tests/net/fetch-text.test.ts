import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { DialFailed } from '../../src/platform/net/dial-failed.ts';
import { createFetchText, type FetchTextOptions } from '../../src/platform/net/fetch-text.ts';
import { isPublicAddress } from '../../src/platform/net/public-address.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { eventually } from '../support/eventually.ts';
import { connectToReceiver } from './connect-to-receiver.ts';
import { type Script, startReceiver } from './receiver.ts';

const NAME = 'mta-sts.clinic.test';
const URL = `https://${NAME}/.well-known/mta-sts.txt`;
const PUBLIC = '93.184.216.34';
const LARGEST = 64 * 1024;
const certificate = await createSelfSigned(NAME, new Date());

function reply(body: string, head = 'Content-Type: text/plain', status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\n${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function failsWith(reason: string) {
  return (error: unknown) => error instanceof DialFailed && error.reason === reason;
}

/** Announces no length, says a megabyte and does not end. */
function writeWithoutEnd(socket: Socket): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n${'x'.repeat(1024 * 1024)}`);
}

/** A receiver behind the public address that the name has, and a FetchText that trusts it. */
async function startPair(t: TestContext, script: Script, options: Partial<FetchTextOptions> = {}) {
  const receiver = await startReceiver(t, { certificate, ...script });
  const { connect, asked } = connectToReceiver({ [PUBLIC]: receiver });
  const rules = { resolve: async () => [PUBLIC], mayReach: isPublicAddress, authorities: certificate.cert, connect };
  return { receiver, asked, fetchText: createFetchText({ ...rules, ...options }) };
}

test('a text is asked for by one plain request and given as it is', async (t) => {
  const { receiver, fetchText, asked } = await startPair(t, { answer: reply('version: STSv1\r\nä\n') });
  assert.equal(await fetchText(URL), 'version: STSv1\r\nä\n');
  assert.match(
    receiver.heard().toString(),
    /^GET \/\.well-known\/mta-sts\.txt HTTP\/1\.1\r\nHost: mta-sts\.clinic\.test\r\n/,
  );
  assert.deepEqual([asked, receiver.names], [[`${PUBLIC} 443`], [NAME]]);
  await eventually(async () => receiver.open() === 0);
});

for (const head of ['Content-Type: text/plain; charset=utf-8', 'content-type: Text/Plain']) {
  test(`${head} is plain text`, async (t) => {
    assert.equal(await (await startPair(t, { answer: reply('x', head) })).fetchText(URL), 'x');
  });
}

const BROKEN: Record<string, string> = {
  'a page': reply('x', 'Content-Type: text/html'),
  'a text of another kind': reply('x', 'Content-Type: text/plainer'),
  'a text that does not say what it is': reply('x', 'X-Other: 1'),
  'a redirect': reply('x', `Location: ${URL}\r\nContent-Type: text/plain`, '301 Moved Permanently'),
  'another success': reply('x', 'Content-Type: text/plain', '203 Non-Authoritative'),
  'no such text': reply('x', 'Content-Type: text/plain', '404 Not Found'),
  'half of a text': 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nx',
  'no HTTP': 'version: STSv1\r\n\r\n',
  nothing: '',
};

for (const [what, answer] of Object.entries(BROKEN)) {
  test(`${what} is not taken`, async (t) => {
    const { fetchText, receiver } = await startPair(t, { answer });
    await assert.rejects(fetchText(URL), failsWith('broken'));
    assert.equal(receiver.connections(), 1);
  });
}

test('64 KB are taken and not a byte more, whatever length is announced', async (t) => {
  const largest = await startPair(t, { answer: reply('x'.repeat(LARGEST)) });
  assert.equal((await largest.fetchText(URL)).length, LARGEST);
  const larger = await startPair(t, { answer: reply('x'.repeat(LARGEST + 1)) });
  await assert.rejects(larger.fetchText(URL), failsWith('broken'));
  await assert.rejects((await startPair(t, { answer: writeWithoutEnd })).fetchText(URL), failsWith('broken'));
});

test('a certificate of another name or of no known authority is refused', async (t) => {
  const other = await createSelfSigned('other.test', new Date());
  const wrong = await startPair(t, { certificate: other }, { authorities: other.cert });
  await assert.rejects(wrong.fetchText(URL), failsWith('tls'));
  const unknown = await startPair(t, {}, { authorities: other.cert });
  await assert.rejects(unknown.fetchText(URL), failsWith('tls'));
});

test('an address that may not be reached is not, even beside one that may', async (t) => {
  for (const addresses of [['127.0.0.1'], [PUBLIC, '10.0.0.1'], ['169.254.169.254']]) {
    const { fetchText, asked } = await startPair(t, {}, { resolve: async () => addresses });
    await assert.rejects(fetchText(URL), failsWith('refused-target'));
    assert.deepEqual(asked, []);
  }
});

test('an inner address is reached where the rule lets it', async (t) => {
  const { connect } = connectToReceiver({
    '10.0.0.1': await startReceiver(t, { certificate, answer: reply('inner') }),
  });
  const options = { resolve: async () => ['10.0.0.1'], mayReach: (address: string) => address === '10.0.0.1', connect };
  assert.equal(await createFetchText({ ...options, authorities: certificate.cert })(URL), 'inner');
});

test('a name without an address, and a URL that is not https, come to nothing', async (t) => {
  const { fetchText } = await startPair(t, {}, { resolve: async () => [] });
  await assert.rejects(fetchText(URL), failsWith('unresolved'));
  for (const url of [URL.replace('https', 'http'), 'https://localhost/x', 'https://127.0.0.1/x', 'nothing']) {
    await assert.rejects(fetchText(url), failsWith('refused-target'), url);
  }
});

test('a server that never comes to an end is given a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const slow = Promise.withResolvers<void>();
  const { fetchText, receiver } = await startPair(t, { answer: () => slow.resolve() });
  const failed = assert.rejects(fetchText(URL), failsWith('timeout'));
  await slow.promise;
  t.mock.timers.tick(59_999);
  assert.equal(receiver.open(), 1);
  t.mock.timers.tick(1);
  await failed;
});
