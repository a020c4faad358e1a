import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addAccount, enrol, openAccount, openBrowser, PASSWORD } from './visitor.ts';

const OTHER = 'nine amber kettles whistle';
const HOUR = 3600_000;
const OWN = '/v1/email/webhook_endpoints';

/** The link in the last mail that the sandbox took for an address, and from whom it was. */
async function mailedLink(app: TestApp, email: string): Promise<string> {
  const { db, vault } = app.installation;
  const keys = await vault.of(0);
  return eventually(async () => {
    const rows = await db.tenant([0], (tx) =>
      tx.selectFrom('sandbox_messages').selectAll().where('customer_id', '=', 0).orderBy('id', 'desc').execute(),
    );
    for (const row of rows) {
      if (row.sealed === null) continue;
      const mail = keys.open({ table: 'sandbox_messages', row: row.id, column: 'sealed' }, row.sealed).toString();
      if (mail.includes(email)) return /\/app\/(?:reset|setup)#([\w-]{43})/.exec(mail.replaceAll('=\r\n', ''))?.[1];
    }
    return undefined;
  });
}

test('whoever forgot the password gets a link by mail; the new one ends every session', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const { email, visitor } = await openAccount(app, customer, 'owner');
  const forgot = (address: string) => openBrowser(app).ask('POST', '/password/forgot', { email: address });
  const [known, unknown] = [await forgot(email), await forgot('nobody@example.org')];
  assert.deepEqual([known.status, known.text], [200, '{}']);
  assert.deepEqual([unknown.status, unknown.text], [200, '{}']);
  const token = await mailedLink(app, email);
  const stranger = openBrowser(app);
  assert.equal((await stranger.ask('POST', '/setup', { token, password: OTHER })).status, 404, 'no invitation');
  assert.equal((await stranger.ask('POST', '/password/reset', { token, password: 'short' })).status, 400);
  assert.equal((await stranger.ask('POST', '/password/reset', { token, password: OTHER })).status, 200);
  assert.equal((await stranger.ask('POST', '/password/reset', { token, password: PASSWORD })).status, 404);
  assert.equal((await visitor.ask('GET', OWN)).status, 401);
  assert.equal((await stranger.ask('POST', '/sign_in', { email, password: PASSWORD })).status, 401);
  assert.equal((await stranger.ask('POST', '/sign_in', { email, password: OTHER })).body.state, 'factor');
  const log = await app.request('GET', '/v1/email/message_log', { key: customer.key });
  assert.deepEqual(log.body.data, [], 'no customer sees the link');
  assert.ok(!app.logged().includes(token) && !app.logged().includes(email));
});

test('a link for a new password ends after an hour, and the next one takes its place', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
  const { email } = await openAccount(app, await app.createCustomer(), 'owner');
  const visitor = openBrowser(app);
  await visitor.ask('POST', '/password/forgot', { email });
  const first = await mailedLink(app, email);
  clock.advance(HOUR);
  assert.equal((await visitor.ask('POST', '/password/reset', { token: first, password: OTHER })).status, 404);
});

test('a link for a new password does not go to an address that is just being changed', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { email, userId } = await openAccount(app, await app.createCustomer(), 'owner');
  await withConnection(app.installation.ownerUrl, async (client) => {
    const isTrue = async (what: string) => (await client.query(`select ${what} as so`)).rows[0].so === true;
    await client.query('begin');
    await client.query(`update users set email = 'ann@maple.example' where id = $1`, [userId]);
    await openBrowser(app).ask('POST', '/password/forgot', { email });
    const waits = 'exists (select from pg_locks where not granted and pid <> pg_backend_pid())';
    const isMade = 'exists (select from user_setup_links)';
    await eventually(async () => (await isTrue(waits)) || (await isTrue(isMade)));
    await client.query('commit');
  });
  assert.match(await mailedLink(app, 'ann@maple.example'), /^[\w-]{43}$/);
});

test('mails for new passwords are few, for one address and for one network', async (t) => {
  const app = await startApp(t);
  const visitor = openBrowser(app);
  const statuses = [];
  for (let round = 0; round < 6; round += 1) {
    statuses.push((await visitor.ask('POST', '/password/forgot', { email: 'ann@example.org' })).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
});

test('somebody who knows the password changes it, and other browsers are signed out', async (t) => {
  const app = await startApp(t);
  const { email, visitor, codes } = await openAccount(app, await app.createCustomer(), 'editor');
  const other = openBrowser(app);
  await other.ask('POST', '/sign_in', { email, password: PASSWORD });
  await other.ask('POST', '/sign_in/recovery', { code: codes[0] });
  const change = (current: string, password: string) => visitor.ask('POST', '/password', { current, password });
  assert.deepEqual((await change('wrong', OTHER)).body.fields, { current: ['is not right'] });
  assert.deepEqual(Object.keys((await change(PASSWORD, 'password1234')).body.fields), ['password']);
  assert.equal((await change(PASSWORD, OTHER)).status, 200);
  assert.deepEqual([(await visitor.ask('GET', OWN)).status, (await other.ask('GET', OWN)).status], [200, 401]);
  assert.equal((await openBrowser(app).ask('POST', '/sign_in', { email, password: OTHER })).status, 200);
});

test('a password that its owner is just replacing changes nothing any more', async (t) => {
  const app = await startApp(t);
  const { visitor, userId } = await openAccount(app, await app.createCustomer(), 'editor');
  await withConnection(app.installation.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(`update users set password_hash = 'another' where id = $1`, [userId]);
    const asked = visitor.ask('POST', '/password', { current: PASSWORD, password: OTHER });
    const waits = `select exists (select from pg_locks where not granted and pid <> pg_backend_pid()) as so`;
    await eventually(async () => (await client.query(waits)).rows[0].so === true);
    await client.query('commit');
    assert.deepEqual((await asked).body.fields, { current: ['is not right'] });
    const { rows } = await client.query('select password_hash from users where id = $1', [userId]);
    assert.deepEqual(rows, [{ password_hash: 'another' }]);
  });
});

test('an invitation sets a password and a name, and leads to the second factor', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const wanted = { email: 'ann.archer@example.org', role: 'owner' };
  const { setupToken } = await createUser(app.installation, app.act(customer.id, 'user.created'), wanted);
  const visitor = openBrowser(app);
  const weak: [string, RegExp][] = [
    ['short', /12 to 256/],
    ['aaaaaaaaaaaaaaaa', /repeats/],
    ['abcabcabcabcabc', /repeats/],
    ['1234567890abcdefgh', /row/],
    ['qwertyuiop123456', /row/],
    ['Archer.Ann.2026!', /name or address/],
    ['P@ssw0rd-2026!!', /guessed first/],
    ['Carepost-Clinic-1', /guessed first/],
  ];
  for (const [password, reason] of weak) {
    const reply = await visitor.ask('POST', '/setup', { token: setupToken, password });
    assert.equal(reply.status, 400, password);
    assert.match(reply.body.fields.password[0], reason);
    assert.ok(!reply.text.includes(password));
  }
  const done = await visitor.ask('POST', '/setup', { token: setupToken, password: PASSWORD, name: 'Ann Archer' });
  assert.deepEqual([done.status, done.body.state], [200, 'enrol']);
  await enrol(app, visitor);
  const { body } = await visitor.ask('GET', '/session');
  assert.deepEqual([body.state, body.user.name, body.user.email], ['open', 'Ann Archer', wanted.email]);
  assert.equal((await visitor.ask('PATCH', '/me', { name: ' Ann B. ' })).body.name, 'Ann B.');
  assert.equal((await visitor.ask('PATCH', '/me', { name: '  ' })).status, 400);
});

test('an operator belongs to the installation, and to nobody else', async (t) => {
  const app = await startApp(t);
  const { visitor, userId } = await openAccount(app, null, 'operator');
  const { body } = await visitor.ask('GET', '/session');
  assert.deepEqual(
    [body.state, body.user.role, body.customer, body.agreement_in_force],
    ['open', 'operator', null, null],
  );
  assert.equal((await visitor.ask('GET', OWN)).status, 403);
  const customer = await app.createCustomer();
  const { userId: other } = await addAccount(app, customer, 'owner');
  await withConnection(app.installation.ownerUrl, async (client) => {
    for (const [id, change] of [
      [other, `role = 'operator'`],
      [userId, `role = 'owner'`],
    ]) {
      await assert.rejects(client.query(`update users set ${change} where id = $1`, [id]), /users_operator_check/);
    }
  });
});
