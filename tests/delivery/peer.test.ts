import assert from 'node:assert/strict';
import { connect as connectTcp, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { createFleet, type Fleet } from './fleet.ts';
import type { Peer } from './peer.ts';
import type { Script } from './script.ts';
import * as scripts from './scripts.ts';
import * as tlsScripts from './tls-scripts.ts';

/** Says lines to a peer one after the other, and answers the first line of each reply, or why there is none. */
async function talk(
  peer: Peer,
  fleet: Fleet,
  commands: string[],
  { verify = false, patienceMs = 15_000 } = {},
): Promise<string[]> {
  let socket: Socket = connectTcp(peer.port, peer.address);
  const heard: string[] = [];
  try {
    heard.push(await nextReply(socket, patienceMs));
    for (const command of commands) {
      socket.write(`${command}\r\n`);
      heard.push(await nextReply(socket, patienceMs));
      if (command === 'STARTTLS' && heard.at(-1)?.startsWith('220')) {
        socket = connectTls({
          socket,
          servername: peer.name,
          ca: fleet.authority.caPem,
          rejectUnauthorized: verify,
          ciphers: 'ALL:eNULL:@SECLEVEL=0',
          minVersion: 'TLSv1',
        });
        await within(patienceMs, (resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
      }
    }
  } catch (error) {
    heard.push((error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
  socket.destroy();
  return heard;
}

function within<T>(ms: number, act: (resolve: (value: T) => void, reject: (error: Error) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('…')), ms);
    const stop = () => clearTimeout(timer);
    act(
      (value) => (stop(), resolve(value)),
      (error) => (stop(), reject(error)),
    );
  });
}

function nextReply(socket: Socket, patienceMs: number): Promise<string> {
  let text = '';
  const found = within<string>(patienceMs, (resolve, reject) => {
    socket.on('data', (chunk) => {
      text += chunk;
      if (/^\d{3} .*\r\n/m.test(text)) resolve(text.trimEnd().split('\r\n').at(-1) as string);
    });
    socket.once('end', () => reject(new Error('closed')));
    socket.once('error', reject);
  });
  return found.finally(() => {
    socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('error');
    socket.on('error', () => {});
  });
}

const MESSAGE = ['MAIL FROM:<a@example.org>', 'RCPT TO:<b@example.com>', 'DATA', 'Subject: x\r\n\r\n..secret\r\n.'];
const WHOLE = ['EHLO c', 'STARTTLS', 'EHLO c', ...MESSAGE];

async function meet(t: TestContext, script: Script, commands = WHOLE, options = {}) {
  const fleet = await createFleet(t);
  const peer = await fleet.add('example.com', script);
  return { fleet, peer, codes: (await talk(peer, fleet, commands, options)).map((line) => line.replace(/ .*/s, '')) };
}

const TAKEN = ['220', '250', '220', '250', '250', '250', '354', '250'];

test('a peer without a script takes a message under TLS and keeps all that it heard', async (t) => {
  const { fleet, peer, codes } = await meet(t, scripts.ok, [...WHOLE, 'QUIT'], { verify: true });
  assert.deepEqual(codes, [...TAKEN, '221']);
  assert.deepEqual(peer.taken(), [
    {
      from: 'a@example.org',
      recipients: ['b@example.com'],
      mime: 'Subject: x\r\n\r\n.secret\r\n',
      secured: true,
      reply: '250 2.0.0 kept',
    },
  ]);
  assert.equal(peer.clear().toString(), 'EHLO c\r\nSTARTTLS\r\n');
  assert.ok(peer.secured().includes('..secret'));
  assert.deepEqual(peer.connections[0]?.tls, { version: 'TLSv1.3', serverName: 'mx.example.com' });
  fleet.nothingInClear(['secret']);
  assert.deepEqual(fleet.hostsThatHeard('secret'), ['mx.example.com']);
  assert.deepEqual(fleet.hostsThatHeard('secrets'), []);
  await eventually(async () => peer.open() === 0);
});

test('whoever sends in clear is found out', async (t) => {
  const whole = await meet(t, tlsScripts.noStartTls, ['EHLO c', ...MESSAGE]);
  assert.equal(whole.codes.at(-1), '250');
  assert.throws(() => whole.fleet.nothingInClear(['secret']), /heard a marker in clear/);
  assert.throws(() => whole.fleet.nothingInClear([]), /more in clear than the way to TLS/);
  const begun = await meet(t, tlsScripts.noStartTls, ['EHLO c', 'MAIL FROM:<a@example.org>']);
  assert.throws(() => begun.fleet.nothingInClear([]), /more in clear than the way to TLS/);
  const onward = await meet(t, tlsScripts.clearBehindStartTls, ['EHLO c']);
  onward.fleet.nothingInClear([]);
});

/** What a client hears whose peer follows a script; `…` where it hears nothing. */
const DIALOGUES: [string, Script, string[]][] = [
  ['450 at the greeting', scripts.replyAt('banner', '450 no'), ['450']],
  ['554 at RCPT', scripts.replyAt('rcpt', '554 no'), ['220', '250', '220', '250', '250', '554', '554', '500']],
  ['421 at the dot', scripts.replyAt('dot', '421 no'), [...TAKEN.slice(0, -1), '421']],
  ['close before MAIL', scripts.dropBefore('mail'), ['220', '250', '220', '250', 'closed']],
  ['close after MAIL', scripts.dropAfter('mail'), ['220', '250', '220', '250', '250', 'closed']],
  ['reset before EHLO', scripts.dropBefore('ehlo', 'reset'), ['220', 'ECONNRESET']],
  ['reset at the dot, under TLS', scripts.dropBefore('dot', 'reset'), [...TAKEN.slice(0, -1), 'ECONNRESET']],
  ['silence at the dot', scripts.silenceAt('dot'), [...TAKEN.slice(0, -1), '…']],
  ['a black hole', scripts.silenceAt('banner'), ['…']],
  ['half-close after RCPT', scripts.halfCloseAt('rcpt'), ['220', '250', '220', '250', '250', '250', 'closed']],
  ['stripped STARTTLS', tlsScripts.strippedStartTls('454 4.7.0 not available'), ['220', '250', '454']],
  ['silent handshake', tlsScripts.silentHandshake, ['220', '250', '220', '…']],
  ['broken handshake', tlsScripts.brokenHandshake, ['220', '250', '220', 'ECONNRESET']],
  ['a small size', scripts.smallSize(10), [...TAKEN.slice(0, -1), '552']],
];

for (const [what, script, expected] of DIALOGUES) {
  test(`the script of ${what}`, async (t) => {
    const patienceMs = expected.at(-1) === '…' ? 200 : 15_000;
    const { codes } = await meet(t, script, WHOLE, { patienceMs });
    assert.deepEqual(codes.slice(0, expected.length), expected);
  });
}

test('bytes behind the 220 of STARTTLS come in the same breath', async (t) => {
  const { codes } = await meet(t, tlsScripts.injectedBehindStartTls, ['EHLO c', 'STARTTLS']);
  assert.equal(codes[2], '250');
});

const VERIFIES: [string, Script, string][] = [
  ['an expired certificate', tlsScripts.expired, 'CERT_HAS_EXPIRED'],
  ['the certificate of another host', tlsScripts.wrongName, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['a certificate signed by itself', tlsScripts.selfSigned, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['a certificate by an unknown authority', tlsScripts.unknownAuthority, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
];

for (const [what, script, error] of VERIFIES) {
  test(`${what} is shown, and otherwise the mail is taken`, async (t) => {
    const { fleet, peer, codes } = await meet(t, script, ['EHLO c', 'STARTTLS', 'EHLO c'], { verify: true });
    assert.equal(codes.at(-1), error);
    assert.equal((await talk(peer, fleet, WHOLE)).at(-1), '250 2.0.0 kept');
  });
}

test('old versions and weak ciphers are spoken to whoever takes them', async (t) => {
  const fleet = await createFleet(t);
  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    const peer = await fleet.add(`${version}.example`, tlsScripts.oldTls(version));
    assert.equal((await talk(peer, fleet, WHOLE)).at(-1), '250 2.0.0 kept');
    assert.equal(peer.connections[0]?.tls?.version, version);
  }
  for (const cipher of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-NULL-SHA', 'AECDH-AES128-SHA'] as const) {
    const peer = await fleet.add(`${cipher}.example`, tlsScripts.weakCipher(cipher));
    assert.equal((await talk(peer, fleet, WHOLE)).at(-1), '250 2.0.0 kept', cipher);
  }
});

test('a greylist opens by the clock, and a throttle with the next minute', async (t) => {
  const fleet = await createFleet(t);
  const clock = createMovableClock(new Date('2026-01-01T00:00:00Z'));
  const grey = await fleet.add('grey.example', scripts.greylist(clock, 5));
  const ends = async (peer: Peer) => (await talk(peer, fleet, WHOLE))[6];
  assert.match((await ends(grey)) ?? '', /^554/);
  clock.advance(5 * 60_000 - 1);
  assert.match((await ends(grey)) ?? '', /^554/);
  clock.advance(1);
  assert.match((await ends(grey)) ?? '', /^354/);
  const busy = await fleet.add('busy.example', scripts.throttlePerMinute(clock, 2));
  const mail = async () => (await talk(busy, fleet, WHOLE))[4]?.slice(0, 3);
  assert.deepEqual([await mail(), await mail(), await mail()], ['250', '250', '452']);
  clock.advance(60_000);
  assert.equal(await mail(), '250');
});

test('a peer follows another script from the next connection on', async (t) => {
  const { fleet, peer } = await meet(t, scripts.ok);
  await peer.follow(scripts.replyAt('banner', '554 no longer'));
  assert.deepEqual(await talk(peer, fleet, []), ['554 no longer']);
});
