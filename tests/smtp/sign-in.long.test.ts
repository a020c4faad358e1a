import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSignInGuard } from '../../src/email/submission/smtp/sign-in-guard.ts';
import type { KeyCaller } from '../../src/platform/http/access.ts';
import { createRateLimits } from '../../src/platform/http/limits/rate-limits.ts';
import type { Client } from '../support/dialogue.ts';
import { base64, type Door, plain, startDoor } from './submission-server.ts';

/** A key of the right form that nobody has; `id` is its public id. */
const stranger = (id = '0'.repeat(12)) => `cp_live_${id}${'0'.repeat(49)}`;

async function tryKey(door: Door, key: string): Promise<string> {
  const client = await door.greeted();
  client.send(`AUTH PLAIN ${plain('apikey', key)}\r\n`);
  const reply = (await client.reply()) ?? '';
  client.close();
  return reply;
}

test('every form of AUTH PLAIN and LOGIN signs in', async (t) => {
  const door = await startDoor(t);
  const { key } = door.customer;
  const forms = [
    `C: AUTH PLAIN ${plain('apikey', key)}`,
    `C: auth plain ${plain('apikey', key, 'apikey')}`,
    `C: AUTH PLAIN\nS: 334 \nC: ${plain('apikey', key)}`,
    `C: AUTH LOGIN\nS: 334 VXNlcm5hbWU6\nC: ${base64('apikey')}\nS: 334 UGFzc3dvcmQ6\nC: ${base64(key)}`,
    `C: AUTH LOGIN ${base64('apikey')}\nS: 334 UGFzc3dvcmQ6\nC: ${base64(key)}`,
  ];
  for (const form of forms) {
    const client = await door.greeted();
    await client.play(`${form}\nS: 235 2.7.0\nC: MAIL FROM:<>\nS: 250 2.1.0`);
  }
});

test('unknown user, unknown key, wrong scope and acting for others are refused in the same words', async (t) => {
  const door = await startDoor(t);
  const { key } = door.customer;
  const forms = (await door.app.createKey(door.customer, ['forms'])).key;
  const replies = new Set<string | null>();
  for (const answer of [
    plain('APIKEY', key),
    plain(door.customer.username, key),
    plain('apikey', stranger()),
    plain('apikey', ''),
    plain('apikey', `${key}x`),
    plain('apikey', forms),
    plain('apikey', key, 'somebody'),
    base64(`\0apikey\0${key}\0more`),
    base64('no separators'),
    '=',
  ]) {
    const client: Client = await door.greeted();
    client.send(`AUTH PLAIN ${answer}\r\n`);
    replies.add(await client.reply());
    await client.play('C: MAIL FROM:<>\nS: 530 5.7.0');
  }
  assert.deepEqual([...replies], ['535 5.7.8 Authentication credentials invalid\r\n']);
});

test('a cancelled or garbled exchange is no attempt, and the next command is a command again', async (t) => {
  const door = await startDoor(t);
  const client = await door.greeted();
  await client.play(`
    C: AUTH PLAIN
    S: 334
    C: *
    S: 501 5.0.0
    C: AUTH LOGIN
    S: 334
    C: ${base64('apikey')}
    S: 334
    C: *
    S: 501 5.0.0
    C: AUTH PLAIN not-base64
    S: 501 5.5.2
    C: AUTH PLAIN QUJD=
    S: 501 5.5.2
    C: AUTH CRAM-MD5
    S: 504 5.5.4
    C: AUTH
    S: 501 5.5.4
    C: AUTH PLAIN a b
    S: 501 5.5.4
    C: AUTH PLAIN ${plain('apikey', door.customer.key)}
    S: 235`);
  assert.deepEqual(door.waits, []);
});

test('each failure waits longer than the one before, whatever the reason', async (t) => {
  const door = await startDoor(t);
  const keys = [stranger('A'.repeat(12)), 'no key at all', stranger('B'.repeat(12)), ''];
  for (const key of keys) assert.match(await tryKey(door, key), /^535/);
  const wanted = [250, 500, 1_000, 2_000];
  assert.equal(door.waits.length, wanted.length);
  for (const [index, ms] of door.waits.entries()) {
    const full = wanted[index] as number;
    assert.ok(ms <= full && ms > full / 2, `${ms} of ${full}`);
  }
});

test('after twenty failures a network is locked out for the minute, with the right key too', async (t) => {
  const looked: string[] = [];
  const find = (key: string) => {
    looked.push(key);
    return null;
  };
  const door = await startDoor(t, { authenticator: { find } });
  for (let count = 0; count < 20; count += 1) {
    assert.match(await tryKey(door, stranger(String(count).padStart(12, '0'))), /^535 5\.7\.8/);
  }
  const client = await door.greeted();
  await client.play(`C: AUTH PLAIN ${plain('apikey', door.customer.key)}\nS: 454 4.7.0\nEND`);
  assert.equal(looked.length, 20, 'the key was not looked at');
  door.clock.advance(60_000);
  assert.match(await tryKey(door, stranger()), /^535/);
});

/** Lets each connection seem to come from the network that the test names. */
async function startWithNetworks(t: Parameters<typeof startDoor>[0]) {
  const from = { network: 'home' };
  const door = await startDoor(t, { pseudonymOf: () => from.network });
  return { door, from };
}

test('a key is locked after ten failures, but not for a network from which it signed in the day before', async (t) => {
  const { door, from } = await startWithNetworks(t);
  const { key } = door.customer;
  const guess = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  assert.match(await tryKey(door, key), /^235/);
  for (let count = 0; count < 10; count += 1) {
    from.network = `attacker ${count}`;
    assert.match(await tryKey(door, guess), /^535/);
  }
  from.network = 'somewhere new';
  assert.match(await tryKey(door, key), /^454 4\.7\.0/);
  from.network = 'home';
  assert.match(await tryKey(door, key), /^235/);
  door.clock.advance(60_000);
  from.network = 'somewhere new';
  assert.match(await tryKey(door, key), /^235/);
});

test('what a network knew a day ago it has to show again', async (t) => {
  const { door, from } = await startWithNetworks(t);
  const { key } = door.customer;
  assert.match(await tryKey(door, key), /^235/);
  door.clock.advance(24 * 3_600_000);
  for (let count = 0; count < 10; count += 1) {
    from.network = `attacker ${count}`;
    await tryKey(door, `${key.slice(0, -1)}!`);
  }
  from.network = 'home';
  assert.match(await tryKey(door, key), /^454 4\.7\.0/);
});

test('failures on another node count here once the nodes have settled', async (t) => {
  const first = await startDoor(t);
  const { db, log } = first.app.installation;
  const [here, there] = [
    createRateLimits({ db, clock: first.clock, log }),
    createRateLimits({ db, clock: first.clock, log }),
  ];
  const [guard, other] = [here, there].map((rateLimits) => createSignInGuard({ rateLimits, clock: first.clock }));
  const attempt = { network: 'attacker', key: stranger() };
  for (let count = 0; count < 9; count += 1) other?.noteFailure(attempt);
  await there.settle();
  await here.load();
  assert.equal(guard?.admits(attempt), true);
  guard?.noteFailure(attempt);
  assert.equal(guard?.admits(attempt), false);
});

test('a key that cannot be looked up is neither right nor wrong', async (t) => {
  const failing = { find: (): Promise<KeyCaller | null> => Promise.reject(new Error('away')) };
  const door = await startDoor(t, { authenticator: failing });
  assert.match(await tryKey(door, stranger()), /^454 4\.7\.0/);
  assert.deepEqual(door.waits, []);
});
