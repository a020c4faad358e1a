import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, endPerson } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, type SignedIn, signIn } from '../support/people-session.ts';
import { addAccount, openAccount, openBrowser, PASSWORD } from './visitor.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OWN = '/v1/email/webhook_endpoints';

const statusOf = async (person: SignedIn, headers?: Record<string, string>) =>
  (await person.request('GET', OWN, headers === undefined ? {} : { headers })).status;

test('a session ends after exactly fifteen minutes in which nobody did anything', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const person = await signIn(app, await app.createCustomer(), 'reader');
  clock.advance(15 * MINUTE - 1);
  assert.equal(await statusOf(person), 200);
  clock.advance(9 * SECOND); // too soon to be written down at once
  assert.equal(await statusOf(person), 200);
  clock.advance(15 * MINUTE - 1);
  assert.equal(await statusOf(person), 200, 'counted from the last request');
  clock.advance(15 * MINUTE);
  assert.equal(await statusOf(person), 401);
  assert.equal((await person.request('GET', '/app/api/session')).body.state, 'signed-out');
});

test('what a page asks by itself does not prolong a session, and neither does asking who is signed in', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const person = await signIn(app, await app.createCustomer(), 'reader');
  clock.advance(14 * MINUTE);
  assert.equal(await statusOf(person, { 'x-carepost-background': '1' }), 200);
  assert.equal((await person.request('GET', '/app/api/session')).body.state, 'open');
  clock.advance(MINUTE);
  assert.equal(await statusOf(person), 401);
});

test('a session ends twelve hours after it began, whatever somebody does', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const person = await signIn(app, await app.createCustomer(), 'reader');
  for (let passed = 10; passed < 720; passed += 10) {
    clock.advance(10 * MINUTE);
    assert.equal(await statusOf(person), 200, `${passed} minutes`);
  }
  clock.advance(10 * MINUTE - 1);
  assert.equal(await statusOf(person), 200);
  clock.advance(1);
  assert.equal(await statusOf(person), 401);
});

test('somebody who works at one node is not taken for idle by another', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const other = await startApp(t, { clock, beside: app });
  const person = await signIn(app, await app.createCustomer(), 'reader');
  const elsewhere = async () => (await other.request('GET', OWN, { headers: { cookie: person.cookie } })).status;
  assert.equal(await elsewhere(), 200);
  for (let round = 0; round < 3; round += 1) {
    clock.advance(14 * MINUTE);
    assert.equal(await statusOf(person), 200);
  }
  clock.advance(14 * MINUTE);
  assert.equal(await elsewhere(), 200);
});

test('the token changes when the second factor is shown and at every step-up; the one before is worth nothing', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const { email, secret } = await openAccount(app, customer, 'owner');
  clock.advance(MINUTE);
  const visitor = openBrowser(app);
  const token = () => visitor.cookies.get('carepost_session') as string;
  // Somebody has put a token into the browser before its owner came.
  visitor.cookies.set('carepost_session', 'x'.repeat(43));
  await visitor.ask('POST', '/sign_in', { email, password: PASSWORD });
  const half = token();
  assert.notEqual(half, 'x'.repeat(43));
  await visitor.ask('POST', '/sign_in/totp', { code: codeOf(secret, clock.now()) });
  const open = token();
  clock.advance(MINUTE);
  await visitor.ask('POST', '/step_up/totp', { code: codeOf(secret, clock.now()) });
  assert.equal(new Set([half, open, token()]).size, 3);
  const statusWith = async (each: string) =>
    (await app.request('GET', OWN, { headers: { cookie: `carepost_session=${each}` } })).status;
  assert.deepEqual([await statusWith(half), await statusWith(open), await statusWith(token())], [401, 401, 200]);
});

test('the second factor counts as just shown for ten minutes', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const person = await signIn(app, await app.createCustomer(), 'owner');
  const make = () => person.request('POST', '/app/api/factors/recovery_codes');
  clock.advance(10 * MINUTE - 1);
  assert.equal((await make()).status, 200);
  clock.advance(1);
  const refused = await make();
  assert.deepEqual(
    [refused.status, refused.headers.get('step-up'), refused.body.code],
    [403, 'required', 'step_up_required'],
  );
  assert.equal(await statusOf(person), 200, 'the session itself goes on');
});

test('wrong codes at a step-up end the session at last', async (t) => {
  const app = await startApp(t);
  const person = await signIn(app, await app.createCustomer(), 'owner');
  const statuses = [];
  for (let tries = 0; tries < 5; tries += 1) {
    statuses.push((await person.request('POST', '/app/api/step_up/totp', { body: { code: '000000' } })).status);
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 401]);
  assert.equal(await statusOf(person), 401);
});

test('the cookie is out of reach of scripts and other sites, and of plain HTTP where there is HTTPS', async (t) => {
  const app = await startApp(t);
  const { email } = await addAccount(app, await app.createCustomer(), 'owner');
  const plain = await openBrowser(app).ask('POST', '/sign_in', { email, password: PASSWORD });
  assert.match(plain.headers.getSetCookie().join(), /^carepost_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const secure = await startApp(t, { beside: app, env: { CAREPOST_PUBLIC_URL: 'https://mail.clinic.example' } });
  const visitor = openBrowser(secure);
  const reply = await visitor.ask('POST', '/sign_in', { email, password: PASSWORD });
  assert.match(
    reply.headers.getSetCookie().join(),
    /^__Host-carepost=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.equal((await visitor.ask('GET', '/session')).body.state, 'enrol');
  const misnamed = openBrowser(secure);
  misnamed.cookies.set('carepost_session', visitor.cookies.get('__Host-carepost') as string);
  assert.equal((await misnamed.ask('GET', '/session')).body.state, 'signed-out');
});

test('signing out ends the session and clears what the browser keeps', async (t) => {
  const app = await startApp(t);
  const person = await signIn(app, await app.createCustomer(), 'editor');
  const reply = await person.request('POST', '/app/api/sign_out');
  assert.equal(reply.status, 200);
  assert.match(reply.headers.getSetCookie().join(), /^carepost_session=; .*Max-Age=0$/);
  assert.equal(reply.headers.get('clear-site-data'), '"cache", "storage"');
  assert.equal(await statusOf(person), 401);
});

test('people see their own sessions, and end them', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { visitor, email, codes } = await openAccount(app, customer, 'editor');
  const second = openBrowser(app);
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36' };
  await second.ask('POST', '/sign_in', { email, password: PASSWORD }, agent);
  await second.ask('POST', '/sign_in/recovery', { code: codes[0] });
  const { body } = await visitor.ask('GET', '/sessions');
  assert.deepEqual(
    body.data.map((each: { agent: string; current: boolean }) => [each.agent, each.current]),
    [
      ['Chrome on Linux', false],
      ['A browser', true],
    ],
  );
  const colleague = await signIn(app, customer, 'owner');
  assert.equal((await colleague.request('DELETE', `/app/api/sessions/${body.data[0].id}`)).status, 404);
  assert.equal((await visitor.ask('DELETE', `/sessions/${body.data[0].id}`)).status, 200);
  assert.equal((await second.ask('GET', OWN)).status, 401);
  await second.ask('POST', '/sign_in', { email, password: PASSWORD });
  await second.ask('POST', '/sign_in/recovery', { code: codes[1] });
  assert.equal((await second.ask('GET', OWN)).status, 200);
  assert.equal((await visitor.ask('POST', '/sessions/end_others')).body.ended, 1);
  assert.deepEqual([(await second.ask('GET', OWN)).status, (await visitor.ask('GET', OWN)).status], [401, 200]);
});

test('whoever is removed is refused by every node within five seconds, and so is every key they made', async (t) => {
  const app = await startApp(t);
  const other = await startApp(t, { beside: app });
  const customer = await app.createCustomer();
  const person = await signIn(app, customer, 'admin');
  const { id: keyId, key } = await createApiKey(app.installation, app.act(customer.id, 'key.created'), {
    name: 'theirs',
    mode: 'live',
    scopes: ['email'],
    expiresAt: null,
  });
  await withConnection(app.installation.ownerUrl, (client) =>
    client.query('update api_keys set created_by = $1 where id = $2', [person.userId, keyId]),
  );
  const at = async (node: TestApp) => [
    (await node.request('GET', OWN, { headers: { cookie: person.cookie } })).status,
    (await node.request('GET', OWN, { key })).status,
  ];
  const statuses = async () => [...(await at(app)), ...(await at(other))];
  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  const removedAt = performance.now();
  await endPerson(app.installation, app.act(customer.id, 'user.removed'), person.userId);
  await eventually(async () => (await statuses()).every((status) => status === 401));
  assert.ok(performance.now() - removedAt < 5000);
  assert.equal((await app.request('GET', OWN, { key: customer.key })).status, 200, 'the keys of others go on');
});
