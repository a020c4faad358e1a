import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf } from '../support/people-session.ts';
import { addAccount, enrol, openAccount, openBrowser, PASSWORD } from './visitor.ts';

const SECOND = 1000;
const STEP = 30 * SECOND;

async function auditOf(
  app: TestApp,
  customerId: number,
): Promise<{ action: string; actor_kind: string; actor_id: string; row: string }[]> {
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query(
      `select action, actor_kind, actor_id, a::text as row from audit_log a
        where customer_id = $1 and action like 'sign-in%' order by id`,
      [customerId],
    ),
  );
  return rows;
}

test('a password alone opens nothing; with the first factor the whole product opens', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { email, userId } = await addAccount(app, customer, 'owner');
  const visitor = openBrowser(app);
  assert.equal((await visitor.ask('GET', '/session')).body.state, 'signed-out');

  const begun = await visitor.ask('POST', '/sign_in', { email: email.toUpperCase(), password: PASSWORD });
  assert.deepEqual([begun.status, begun.body.state], [200, 'enrol']);
  const half = (await visitor.ask('GET', '/session')).body;
  assert.deepEqual([half.state, half.customer, half.agreement_in_force], ['enrol', null, null]);
  for (const path of ['/v1/email/webhook_endpoints', '/v1/marketing/subscribers', '/factors', '/sessions', '/home']) {
    assert.equal((await visitor.ask('GET', path)).status, 401, path);
  }
  const { codes } = await enrol(app, visitor);
  assert.equal(codes.length, 10);
  const open = (await visitor.ask('GET', '/session')).body;
  assert.deepEqual(open.user, { id: userId, email, name: '', role: 'owner' });
  assert.deepEqual(open.customer, { id: customer.id, name: customer.username, username: customer.username });
  assert.deepEqual(open.methods, { totp: true, passkeys: 0, recovery_codes: 10 });
  assert.deepEqual([open.state, open.idle_seconds, open.agreement_in_force], ['open', 900, true]);
  assert.equal((await visitor.ask('GET', '/v1/email/webhook_endpoints')).status, 200);
});

test('an app code is taken once, one step early or late, and nothing else is', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { email, secret } = await openAccount(app, await app.createCustomer(), 'editor');
  const tryCode = async (code: string) => {
    const visitor = openBrowser(app);
    assert.equal((await visitor.ask('POST', '/sign_in', { email, password: PASSWORD })).body.state, 'factor');
    return (await visitor.ask('POST', '/sign_in/totp', { code })).status;
  };
  const at = (moved: number) => codeOf(secret, new Date(clock.now().getTime() + moved));
  assert.equal(await tryCode(at(0)), 400, 'the one that the app was enrolled with');
  clock.advance(10 * STEP);
  assert.equal(await tryCode(at(-2 * STEP)), 400, 'two steps late');
  assert.equal(await tryCode(at(2 * STEP)), 400, 'two steps early');
  assert.equal(await tryCode('٠١٢٣٤٥'), 400, 'six digits of another script');
  assert.equal(await tryCode(at(-STEP)), 200, 'one step late');
  assert.equal(await tryCode(at(-STEP)), 400, 'a second time');
  assert.equal(await tryCode(at(STEP)), 200, 'one step early');
  assert.equal(await tryCode(at(0)), 400, 'older than the last one taken');
  clock.advance(3 * STEP);
  const replies = await Promise.all([tryCode(at(0)), tryCode(at(0)), tryCode(at(0))]);
  assert.deepEqual(
    replies.toSorted((one, other) => one - other),
    [200, 400, 400],
    'at the same moment',
  );
});

test('five wrong codes end the attempt, and a person who goes on is slowed', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { email, secret } = await openAccount(app, await app.createCustomer(), 'editor');
  const visitor = openBrowser(app);
  await visitor.ask('POST', '/sign_in', { email, password: PASSWORD });
  const wrong = { code: '000000' };
  for (const left of ['4 tries are', '3 tries are', '2 tries are', 'one try is']) {
    const { status, body } = await visitor.ask('POST', '/sign_in/totp', wrong);
    assert.deepEqual([status, body.fields], [400, { code: [`is not right; ${left} left`] }]);
  }
  assert.equal((await visitor.ask('POST', '/sign_in/totp', wrong)).status, 401);
  clock.advance(STEP);
  assert.equal((await visitor.ask('POST', '/sign_in/totp', { code: codeOf(secret, clock.now()) })).status, 401);
  for (let round = 0; round < 3; round += 1) {
    await visitor.ask('POST', '/sign_in', { email, password: PASSWORD });
    for (let tries = 0; tries < 5; tries += 1) await visitor.ask('POST', '/sign_in/totp', wrong);
  }
  await visitor.ask('POST', '/sign_in', { email, password: PASSWORD });
  const slowed = await visitor.ask('POST', '/sign_in/totp', { code: codeOf(secret, clock.now()) });
  assert.equal(slowed.status, 429);
  assert.ok(Number(slowed.headers.get('retry-after')) > 0);
});

test('a recovery code signs in once, however it is written', async (t) => {
  const app = await startApp(t);
  const { email, codes } = await openAccount(app, await app.createCustomer(), 'editor');
  const [code = ''] = codes;
  const recover = async (typed: string) => {
    const visitor = openBrowser(app);
    await visitor.ask('POST', '/sign_in', { email, password: PASSWORD });
    return visitor.ask('POST', '/sign_in/recovery', { code: typed });
  };
  assert.equal((await recover('2222-2222-2222-2222')).status, 400);
  assert.equal((await recover(code.toUpperCase().replaceAll('-', ' '))).status, 200);
  assert.equal((await recover(code)).status, 400);
  const stored = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select string_agg(c::text, $1) as rows from user_recovery_codes c', ['\n']),
  );
  for (const each of codes) assert.ok(!stored.rows[0].rows.includes(each.replaceAll('-', '')));
});

test('a password or an address that is changed while somebody signs in with it opens no session', async (t) => {
  const app = await startApp(t);
  for (const change of [`password_hash = password_hash || 'x'`, `email = 'new-' || email`]) {
    const { email, userId } = await addAccount(app, await app.createCustomer(), 'owner');
    await withConnection(app.installation.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query(`update users set ${change} where id = $1`, [userId]);
      const answer = openBrowser(app).ask('POST', '/sign_in', { email, password: PASSWORD });
      const waits = 'select count(*)::int as n from pg_locks where not granted and pid <> pg_backend_pid()';
      await Promise.race([answer, eventually(async () => (await client.query(waits)).rows[0].n > 0)]);
      await client.query('commit');
      assert.equal((await answer).status, 401);
    });
  }
});

test('an unknown address, a wrong password and somebody removed look the same, and are written down', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const [known, removed, invited] = [
    await addAccount(app, customer, 'owner'),
    await addAccount(app, customer, 'reader'),
    await addAccount(app, customer, 'reader'),
  ];
  await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query('update users set disabled_at = now() where id = $1', [removed.userId]);
    await client.query('update users set password_hash = null where id = $1', [invited.userId]);
  });
  const attempts = [
    { email: 'nobody@example.org', password: PASSWORD },
    { email: known.email, password: `${PASSWORD} not` },
    { email: removed.email, password: PASSWORD },
    { email: invited.email, password: PASSWORD },
  ];
  const replies = [];
  for (const attempt of attempts) {
    const { status, text, headers } = await openBrowser(app).ask('POST', '/sign_in', attempt);
    replies.push([status, text, headers.getSetCookie()]);
  }
  const refused = { error: 'The address or the password is not right', code: 'signed_out' };
  for (const reply of replies) assert.deepEqual(reply, [401, JSON.stringify(refused), []]);
  const rows = [...(await auditOf(app, customer.id)), ...(await auditOf(app, 0))];
  assert.deepEqual(
    rows.map(({ action, actor_kind, actor_id }) => [action, actor_kind, actor_id]),
    [
      ...[known, removed, invited].map(({ userId }) => ['sign-in.failed', 'user', userId]),
      ['sign-in.failed', 'public', 'sign-in'],
    ],
  );
  for (const { row } of rows) assert.ok(!row.includes('@'));
  for (const { email, password } of attempts)
    assert.ok(!app.logged().includes(email) && !app.logged().includes(password));
});

test('no wrong password takes less time for an address that nobody has', async (t) => {
  const app = await startApp(t);
  const { email } = await addAccount(app, await app.createCustomer(), 'owner');
  const timeOf = async (address: string) => {
    const times: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const startedAt = performance.now();
      await openBrowser(app).ask('POST', '/sign_in', { email: address, password: `${PASSWORD} ${round}` });
      times.push(performance.now() - startedAt);
    }
    return times.toSorted((one, other) => one - other)[2] as number;
  };
  await timeOf('warm@example.org');
  const [known, unknown] = [await timeOf(email), await timeOf('nobody@example.org')];
  assert.ok(unknown > known / 3 && known > unknown / 3, `${known} ms and ${unknown} ms`);
});

test('guessing is slowed by address and network, but not in the browser of whoever signed in before', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_TRUSTED_PROXIES: '127.0.0.1' } });
  const customer = await app.createCustomer();
  const { email, visitor, secret } = await openAccount(app, customer, 'owner');
  const colleague = await openAccount(app, customer, 'editor');
  const guess = (address: string, from: string) =>
    openBrowser(app).ask('POST', '/sign_in', { email: address, password: 'wrong' }, { 'x-forwarded-for': from });
  for (let round = 0; round < 10; round += 1) assert.equal((await guess(email, '198.51.100.1')).status, 401);
  const refused = await guess(email, '198.51.100.1');
  assert.equal(refused.status, 429);
  assert.match(String(refused.headers.get('retry-after')), /^\d+$/);
  assert.equal((await guess('other@example.org', '198.51.100.1')).status, 401, 'another address');
  assert.equal((await guess(email, '198.51.100.2')).status, 401, 'another network');
  for (let network = 3; network < 60; network += 1) await guess(email, `198.51.100.${network}`);
  assert.equal((await guess(email, '203.0.113.9')).status, 429, 'from anywhere');
  const right = { email, password: PASSWORD };
  assert.equal((await openBrowser(app).ask('POST', '/sign_in', right)).status, 429, 'the right password as well');
  assert.equal((await colleague.visitor.ask('POST', '/sign_in', right)).status, 429, 'known, but for somebody else');
  assert.equal((await visitor.ask('POST', '/sign_in', right)).status, 200, 'the owner’s own browser stays open');
  clock.advance(STEP);
  assert.equal((await visitor.ask('POST', '/sign_in/totp', { code: codeOf(secret, clock.now()) })).status, 200);
  clock.advance(3600 * SECOND);
  assert.equal((await openBrowser(app).ask('POST', '/sign_in', right)).status, 200, 'an hour later');
  const atHome = () => visitor.ask('POST', '/sign_in', { email, password: 'wrong' });
  for (let round = 0; round < 10; round += 1) assert.equal((await atHome()).status, 401);
  assert.equal((await atHome()).status, 429, 'the owner’s own browser has a limit of its own');
});

test('more passwords at once than can be checked are refused for a moment, not queued without end', async (t) => {
  const app = await startApp(t);
  const { email } = await addAccount(app, await app.createCustomer(), 'owner');
  const crowd = Array.from({ length: 60 }, (_, place) =>
    openBrowser(app).ask('POST', '/sign_in', { email: `${place}-${email}`, password: PASSWORD }),
  );
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  assert.ok(statuses.every((status) => status === 401 || status === 503));
  assert.ok(statuses.filter((status) => status === 401).length >= 2);
  assert.equal((await openBrowser(app).ask('POST', '/sign_in', { email, password: PASSWORD })).status, 200);
});
