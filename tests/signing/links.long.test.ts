import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/db/database.ts';
import { open, SUBMIT } from '../page/visitor.ts';
import { base64, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { addToBeSigned, askSigners, goIn, signBy, signingLink, statesOf, typed } from './signing.ts';

const DAY = 24 * 3600_000;
const GONE = 'There is nothing to sign here';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

test('a link is good for thirty days, and a new one begins them anew', async () => {
  const wanted = await addToBeSigned(app, customer);
  const link = await signingLink(app, customer, wanted.guardian);
  clock.advance(30 * DAY - 60_000);
  const page = await goIn(app, customer, link, wanted.guardian);
  assert.equal(page.status, 200);
  clock.advance(60_000);
  const gone = await open(app, link);
  assert.deepEqual([gone.status, gone.title], [404, GONE]);
  assert.equal((await page.press(SUBMIT, typed('Gus'))).title, GONE, 'even where the page was open');
  assert.deepEqual(await statesOf(app, customer, wanted), { guardian: 'expired', witness: 'expired' });
  await askSigners(app, customer, wanted, 'POST', { body: { role: 'guardian', email: wanted.guardian } });
  assert.equal((await signBy(app, customer, wanted.guardian, 'Gus')).title, 'You have signed');
});

test('without an agreement nobody signs, and links lead on where it is in force again', async () => {
  const wanted = await addToBeSigned(app, customer);
  const link = await signingLink(app, customer, wanted.guardian);
  const page = await goIn(app, customer, link, wanted.guardian);
  const end = (day: string | null) =>
    asOwner(app, (client) =>
      client.query('update agreements set ends_on = $2 where customer_id = $1', [customer.id, day]),
    );
  await end('2001-01-01');
  const gone = await open(app, link);
  assert.deepEqual([gone.status, gone.title], [404, GONE]);
  assert.equal((await page.press(SUBMIT, typed('Gus'))).title, GONE);
  await end(null);
  assert.deepEqual(await statesOf(app, customer, wanted), { guardian: 'waiting', witness: 'waiting' });
  assert.equal((await page.press(SUBMIT, typed('Gus'))).title, 'You have signed');
});

test('a link that is sent again kills the one before, and its open page', async () => {
  const wanted = await addToBeSigned(app, customer);
  const old = await signingLink(app, customer, wanted.guardian);
  const page = await goIn(app, customer, old, wanted.guardian);
  const body = { role: 'guardian', email: wanted.guardian.toUpperCase() };
  const { body: again } = await askSigners(app, customer, wanted, 'POST', { body });
  const { body: listed } = await askSigners(app, customer, wanted);
  assert.equal(listed.data.length, 2, 'nobody was added');
  assert.equal(listed.data[0].id, again.data.id);
  assert.equal((await open(app, old)).title, GONE);
  assert.equal((await page.press(SUBMIT, typed('Gus'))).title, GONE);
  const link = /\/s\/[\w-]{43}/;
  assert.match(await signingLink(app, customer, again.data.email), link);
  assert.equal((await signBy(app, customer, again.data.email, 'Gus')).title, 'You have signed');
});

test('who has no address yet is given one, others are added up to ten, and each may be withdrawn but who has signed', async () => {
  const signers = [{ role: 'guardian' }, { role: 'witness', required: false }];
  const formId = await addForm(app, customer.id, { form_json: { fields: [{ name: 'name', type: 'text' }], signers } });
  const wanted = { formId, id: await submitted(app, formId, { form_data: { name: 'Ann' } }) };
  const invite = (role: string, email: string) => askSigners(app, customer, wanted, 'POST', { body: { role, email } });
  assert.equal((await readBack(app, customer, formId, wanted.id)).awaiting_signatures, 1, 'the witness need not');
  const { body: first } = await invite('guardian', 'gus@example.com');
  const { body: listed } = await askSigners(app, customer, wanted);
  assert.deepEqual(
    listed.data.map((each: Record<string, unknown>) => [each.role, each.email, each.required]),
    [
      ['guardian', 'gus@example.com', true],
      ['witness', null, false],
    ],
  );
  await signBy(app, customer, 'gus@example.com', 'Gus');
  const taken = await askSigners(app, customer, wanted, 'DELETE', { path: `/${first.data.id}` });
  assert.equal(taken.status, 409);
  for (let i = 2; i < 10; i += 1) assert.equal((await invite('witness', `w${i}@example.com`)).status, 201);
  assert.equal((await invite('witness', 'w10@example.com')).status, 201, 'the tenth');
  assert.equal((await invite('witness', 'w11@example.com')).status, 409);
  const link = await signingLink(app, customer, 'w9@example.com');
  const { body: all } = await askSigners(app, customer, wanted);
  const { id } = all.data.find((each: { email: string }) => each.email === 'w9@example.com');
  assert.equal((await askSigners(app, customer, wanted, 'DELETE', { path: `/${id}` })).status, 200);
  assert.equal((await askSigners(app, customer, wanted, 'DELETE', { path: `/${id}` })).status, 404);
  assert.equal((await open(app, link)).title, GONE);
});

test('whom a test key asks to sign is asked in the sandbox', async () => {
  const wanted = await addToBeSigned(app, customer);
  const { key } = await app.createKey(customer, ['forms'], { mode: 'test' });
  const body = { role: 'second', email: 'second@example.com' };
  const { status, text } = await askSigners(app, { ...customer, key }, wanted, 'POST', { body });
  assert.equal(status, 201, text);
  const log = await app.request('GET', '/v1/email/message_log?to=second@example.com', { key: customer.key });
  assert.equal(log.body.data[0].mode, 'test', log.text);
});

test('what cannot be a signer is refused by name, and another customer reaches none', async () => {
  const wanted = await addToBeSigned(app, customer);
  const bad: [object, string][] = [
    [{ role: ' ', email: 'a@example.com' }, 'role'],
    [{ role: 'r'.repeat(61), email: 'a@example.com' }, 'role'],
    [{ role: 'witness', email: 'nobody' }, 'email'],
    [{ role: 'witness', email: 'a@example.com', name: 'n'.repeat(201) }, 'name'],
  ];
  for (const [body, field] of bad) {
    const { status, text } = await askSigners(app, customer, wanted, 'POST', { body });
    assert.equal(status, 400);
    assert.ok(text.includes(field) && !text.includes('nobody'), text);
  }
  const other = await app.createCustomer();
  const { body } = await askSigners(app, customer, wanted);
  const witness = { role: 'witness', email: 'a@example.com' };
  assert.equal((await askSigners(app, other, wanted)).status, 403);
  assert.equal((await askSigners(app, other, wanted, 'POST', { body: witness })).status, 403);
  assert.equal((await askSigners(app, other, wanted, 'DELETE', { path: `/${body.data[0].id}` })).status, 403);
  const own = await addToBeSigned(app, other);
  assert.equal((await askSigners(app, other, own, 'DELETE', { path: `/${body.data[0].id}` })).status, 403);
});

test('with a submission its signers and their signatures are destroyed, and their pages say so', async () => {
  const wanted = await addToBeSigned(app, customer);
  const links = [wanted.guardian, wanted.witness].map((address) => signingLink(app, customer, address));
  const [guardian = '', witness = ''] = await Promise.all(links);
  const page = await goIn(app, customer, witness, wanted.witness);
  await signBy(app, customer, wanted.guardian, 'Gus');
  const path = `/api/forms/${wanted.formId}/submissions/${wanted.id}`;
  assert.equal((await app.request('DELETE', path, { key: customer.key })).status, 200);
  for (const link of [guardian, witness]) {
    const gone = await open(app, link);
    assert.deepEqual([gone.status, gone.title], [404, GONE]);
    assert.ok(gone.text.includes('withdrawn or destroyed'));
  }
  assert.equal((await page.press(SUBMIT, typed('Will'))).title, GONE);
  const left = await asOwner(app, async (client) => {
    const tables = ['submission_signers where submission_id', 'submission_signatures where submission_id'];
    const counts = tables.map(async (each) => (await client.query(`select from ${each} = $1`, [wanted.id])).rowCount);
    return Promise.all(counts);
  });
  assert.deepEqual(left, [0, 0]);
});

test('whom it was sent to and what was signed with is sealed at rest, and codes are swept', async (t) => {
  const wanted = await addToBeSigned(app, customer);
  const word = `mk${randomBytes(12).toString('hex')}`;
  const body = { role: 'witness', email: `${word}@example.com`, name: word };
  await askSigners(app, customer, wanted, 'POST', { body });
  await signBy(app, customer, body.email, `${word} signed`);
  assert.ok(JSON.stringify(await readBack(app, customer, wanted.formId, wanted.id)).includes(`${word} signed`));
  const tables = ['submission_signers', 'submission_signatures', 'submission_signer_codes', 'audit_log', 'messages'];
  const dump = await asOwner(app, async (client) => {
    const rows: string[] = [];
    for (const table of tables) {
      for (const { row } of (await client.query(`select t::text as row from ${table} t`)).rows) rows.push(row);
    }
    return rows.join('\n');
  });
  for (const trace of [word, Buffer.from(word).toString('hex'), base64(word)]) assert.ok(!dump.includes(trace));
  const { ownerUrl, log } = app.installation;
  const worker = openDatabase({ ownerUrl, log }, 'worker', 2);
  t.after(() => worker.close());
  clock.advance(2 * DAY);
  const tasks = await createTestTasks(app.installation, worker);
  await tasks['sweep.hourly']?.({});
  const codes = await asOwner(
    app,
    async (client) => (await client.query('select from submission_signer_codes')).rowCount,
  );
  assert.equal(codes, 0);
});
