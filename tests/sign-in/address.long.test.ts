import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { codeOf } from '../support/people-session.ts';
import { openAccount, openBrowser, PASSWORD, type Visitor } from './visitor.ts';

const OWN = '/v1/email/webhook_endpoints';
const MINUTE = 60_000;

/** The mails that the installation itself has sent, the last one first. */
async function systemMails(app: TestApp): Promise<string[]> {
  const { db, vault } = app.installation;
  const keys = await vault.of(0);
  const rows = await db.tenant([0], (tx) =>
    tx.selectFrom('sandbox_messages').selectAll().where('customer_id', '=', 0).orderBy('id', 'desc').execute(),
  );
  return rows.flatMap(({ id, sealed }) =>
    sealed === null ? [] : [keys.open({ table: 'sandbox_messages', row: id, column: 'sealed' }, sealed).toString()],
  );
}

const mailTo = (app: TestApp, email: string) =>
  eventually(async () => (await systemMails(app)).find((mail) => mail.includes(email)));

const ask = (visitor: Visitor, email: string, password = PASSWORD) =>
  visitor.ask('POST', '/me/address', { email, password });

const confirm = (visitor: Visitor, email: string, { until, code }: { until: string; code: string }) =>
  visitor.ask('POST', '/me/address/confirm', { email, until, code });

const signIn = async (app: TestApp, email: string) =>
  (await openBrowser(app).ask('POST', '/sign_in', { email, password: PASSWORD })).status;

const audited = async (app: TestApp, customer: TestCustomer) =>
  (
    await app.installation.db.tenant([customer.id], (tx) =>
      tx.selectFrom('audit_log').select('action').where('action', 'like', 'user.address-%').execute(),
    )
  )
    .map(({ action }) => action)
    .toSorted();

test('somebody signs in with another address once they have read mail there; the one before is told', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const { email, visitor, codes } = await openAccount(app, customer, 'owner');
  const other = openBrowser(app);
  await other.ask('POST', '/sign_in', { email, password: PASSWORD });
  await other.ask('POST', '/sign_in/recovery', { code: codes[0] });

  const wanted = 'ann@maple.example';
  const { status, body } = await ask(visitor, ` ${wanted} `);
  assert.equal(status, 200);
  assert.match(await mailTo(app, wanted), new RegExp(`^${body.code}\\r?$`, 'm'));
  assert.deepEqual([await signIn(app, email), await signIn(app, wanted)], [200, 401], 'nothing counts yet');
  assert.equal((await confirm(other, wanted, body)).status, 400, 'another browser did not ask');
  assert.equal((await confirm(visitor, 'bob@maple.example', body)).status, 400, 'the code is for one address');
  assert.equal((await confirm(visitor, wanted, body)).status, 200);

  assert.deepEqual([await signIn(app, email), await signIn(app, wanted)], [401, 200]);
  assert.equal((await visitor.ask('GET', '/session')).body.user.email, wanted);
  assert.deepEqual([(await visitor.ask('GET', OWN)).status, (await other.ask('GET', OWN)).status], [200, 401]);
  assert.match(await mailTo(app, email), /was changed/);
  assert.deepEqual(await audited(app, customer), ['user.address-asked', 'user.address-changed']);
  assert.equal((await confirm(visitor, wanted, body)).status, 400, 'the code works once');
  assert.ok(!app.logged().includes(wanted) && !app.logged().includes(body.code));
});

test('no address is changed without a word to the one before', async (t) => {
  const app = await startApp(t);
  const { email, visitor } = await openAccount(app, await app.createCustomer(), 'owner');
  const { body } = await ask(visitor, 'ann@maple.example');
  await asOwner(app, (client) =>
    client.query('alter table messages add constraint none_today check (customer_id <> 0) not valid'),
  );
  assert.notEqual((await confirm(visitor, 'ann@maple.example', body)).status, 200);
  assert.equal((await visitor.ask('GET', '/session')).body.user.email, email);
});

test('of two addresses that are confirmed at the same instant one counts', async (t) => {
  const app = await startApp(t);
  const { email, visitor } = await openAccount(app, await app.createCustomer(), 'owner');
  const wanted = ['ann@maple.example', 'ann@oak.example'];
  const asked = await Promise.all(wanted.map(async (address) => (await ask(visitor, address)).body));
  const replies = await asOwner(app, async (client) => {
    await client.query('begin');
    await client.query('select from users where email = $1 for no key update', [email]);
    const confirming = wanted.map((address, index) => confirm(visitor, address, asked[index]));
    const waiting = 'select from pg_locks where not granted and pid <> pg_backend_pid()';
    await eventually(async () => (await client.query(waiting)).rowCount === 2);
    await client.query('commit');
    return Promise.all(confirming);
  });
  assert.equal(replies.filter(({ status }) => status === 200).length, 1);
});

test('an address that somebody has is answered like any other and never given away', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { visitor } = await openAccount(app, await app.createCustomer(), 'editor');
  const { email: taken } = await openAccount(app, await app.createCustomer(), 'owner');
  const reply = await ask(visitor, taken.toUpperCase());
  assert.deepEqual([reply.status, Object.keys(reply.body)], [200, ['until', 'code']]);
  const refused = await confirm(visitor, taken.toUpperCase(), reply.body);
  assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [400, ['code']]);
  assert.equal(await signIn(app, taken), 200);
  await ask(visitor, 'free@maple.example');
  await mailTo(app, 'free@maple.example');
  assert.ok(!(await systemMails(app)).some((mail) => mail.toLowerCase().includes(taken)), 'no mail goes there');
  assert.deepEqual(Object.keys((await ask(visitor, 'nowhere')).body.fields), ['email']);
});

test('a browser that was left open is not enough: the password is asked for, and wrong ones are counted', async (t) => {
  const app = await startApp(t);
  const { visitor } = await openAccount(app, await app.createCustomer(), 'editor');
  const refused = await ask(visitor, 'ann@maple.example', `${PASSWORD} not`);
  assert.deepEqual([refused.status, refused.body.fields], [400, { password: ['is not right'] }]);
  assert.equal((await visitor.ask('POST', '/me/address', { email: 'ann@maple.example' })).status, 400);
  assert.equal((await ask(visitor, 'ann@maple.example')).status, 200);
  const statuses = [];
  for (let round = 0; round < 20; round += 1) {
    statuses.push((await ask(visitor, 'ann@maple.example', 'guessed')).status);
  }
  assert.deepEqual(statuses, [...Array.from({ length: 19 }, () => 400), 429]);
  assert.equal((await ask(visitor, 'ann@maple.example')).status, 429, 'not even the right one');
});

test('codes are few, and no stranger uses them up by asking for links for a new password', async (t) => {
  const app = await startApp(t);
  const { email, visitor } = await openAccount(app, await app.createCustomer(), 'editor');
  for (let round = 0; round < 6; round += 1) await openBrowser(app).ask('POST', '/password/forgot', { email });
  const statuses = [];
  for (let round = 0; round < 6; round += 1) statuses.push((await ask(visitor, 'ann@maple.example')).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
});

test('wrong codes are counted, and the second factor is asked for again', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { visitor } = await openAccount(app, await app.createCustomer(), 'editor');
  const { body } = await ask(visitor, 'ann@maple.example');
  const statuses = [];
  for (let round = 0; round < 21; round += 1) {
    statuses.push((await confirm(visitor, 'ann@maple.example', { ...body, code: 'wrong' })).status);
  }
  assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 400), 429]);
  assert.equal((await confirm(visitor, 'ann@maple.example', body)).status, 429, 'not even the right one');
  clock.advance(11 * MINUTE);
  assert.equal((await ask(visitor, 'ann@maple.example')).body.code, 'step_up_required');
});

test('the code ends after an hour', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { visitor, secret } = await openAccount(app, await app.createCustomer(), 'editor');
  const { body } = await ask(visitor, 'ann@maple.example');
  for (let quarter = 0; quarter < 5; quarter += 1) {
    clock.advance(12 * MINUTE);
    await visitor.ask('GET', OWN);
  }
  const shown = await visitor.ask('POST', '/step_up/totp', { code: codeOf(secret, clock.now()) });
  assert.equal(shown.status, 200);
  const refused = await confirm(visitor, 'ann@maple.example', body);
  assert.deepEqual(Object.keys(refused.body.fields), ['code']);
});
