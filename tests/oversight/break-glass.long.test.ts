import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { INSTALLATION, makeBreakGlassCodes } from '../../src/accounts/index.ts';
import { addresseesOf } from '../../src/email/index.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { type SignedIn, signIn } from '../support/people-session.ts';

const MINUTE = 60_000;
const REASON = 'the clinic cannot sign in and asks for one record';
const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let formId: string;
let submissionId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
  submissionId = await submitted(app, formId, { form_data: { email: 'ann@example.com' } });
});

/** Asks a second after whatever was done before. */
const ask = (operator: SignedIn, more: object = {}) => {
  clock.advance(1_000);
  return operator.request('POST', '/app/api/operator/break_glass', {
    body: { customer_id: customer.id, reason: REASON, minutes: 5, ...more },
  });
};
const open = (operator: SignedIn, id: string, body: object = { code: null }) =>
  operator.request('POST', `/app/api/operator/break_glass/${id}/open`, { body });
const enter = (operator: SignedIn, id: string) => operator.request('POST', `/app/api/operator/break_glass/${id}/enter`);
const readRecord = (person: SignedIn) =>
  person.request('GET', `/v1/forms/api/forms/${formId}/submissions/${submissionId}`);

/** An operator who reads by a grant that another opened. */
async function reading(minutes = 5): Promise<{ operator: SignedIn; other: SignedIn; id: string }> {
  const [operator, other] = [await signIn(app, null, 'operator'), await signIn(app, null, 'operator')];
  const { id } = (await ask(operator, { minutes })).body;
  assert.equal((await open(other, id)).status, 200);
  assert.equal((await enter(operator, id)).status, 200);
  return { operator, other, id };
}

const auditOf = (customerId: number, where: string) =>
  asOwner(app, async (client) => {
    const { rows } = await client.query(
      `select actor_kind, actor_id, action, target, details from audit_log where customer_id = $1 and ${where} order by id`,
      [customerId],
    );
    return rows;
  });

test('nothing opens by asking, nor by whoever asked', async () => {
  const operator = await signIn(app, null, 'operator');
  assert.equal((await readRecord(operator)).status, 403);
  assert.deepEqual((await ask(operator, { reason: 'because' })).body.fields, {
    reason: ['takes at least 10 characters'],
  });
  assert.equal((await ask(operator, { minutes: 241 })).status, 400);
  assert.equal((await ask(operator, { customer_id: 999_999 })).status, 404);
  const { status, body } = await ask(operator);
  assert.equal(status, 201);
  assert.equal((await open(operator, body.id)).status, 403, 'a second person opens');
  assert.equal((await enter(operator, body.id)).status, 409);
  assert.equal((await readRecord(operator)).status, 403);
  clock.advance(60 * MINUTE);
  const other = await signIn(app, null, 'operator');
  assert.equal((await open(other, body.id)).status, 409, 'what nobody opened within an hour is over');
});

test('a second operator opens it: one customer is read and nothing changed, until the very end', async () => {
  const { operator, id } = await reading();
  const { body } = await readRecord(operator);
  assert.equal(body.data?.id ?? body.id ?? body.submission?.id, submissionId);
  assert.equal((await operator.request('GET', '/v1/marketing/subscribers')).status, 200);
  const session = (await operator.request('GET', '/app/api/session')).body;
  assert.deepEqual(session.customer.id, customer.id);
  assert.equal(session.emergency.acting, true);
  const elsewhere = await app.createCustomer();
  const foreign = await addForm(app, elsewhere.id, { form_json: {} });
  assert.equal((await operator.request('GET', `/v1/forms/api/forms/${foreign}/submissions`)).status, 403);
  const refused = [
    ['DELETE', `/v1/forms/api/forms/${formId}/submissions/${submissionId}`],
    ['GET', `/v1/forms/api/forms/${formId}/submissions/submission-csv`],
    ['GET', '/app/api/audit_log'],
    ['GET', '/app/api/incidents'],
    ['GET', `/v1/marketing/campaign_mailings/${randomUUID()}/send_test_email?to_email=a@example.com`],
    ['POST', '/v1/marketing/subscribers/search'],
  ] as const;
  for (const [method, path] of refused)
    assert.equal((await operator.request(method, path, method === 'POST' ? { body: {} } : {})).status, 403, path);
  clock.advance(5 * MINUTE - 1);
  assert.equal((await readRecord(operator)).status, 200);
  clock.advance(1);
  assert.equal((await readRecord(operator)).status, 403);
  assert.equal((await enter(operator, id)).status, 409, 'no second use');
  const other = await signIn(app, null, 'operator');
  assert.equal((await open(other, id)).status, 409);
  assert.equal((await operator.request('GET', '/app/api/session')).body.user.role, 'operator');
});

test('every request stands in the audit log of the customer under the grant', async () => {
  const { operator, id } = await reading();
  await operator.request('GET', '/v1/forms/api/forms');
  clock.advance(1_000);
  await readRecord(operator);
  const rows = await auditOf(customer.id, `actor_kind = 'break-glass' and actor_id = '${id}'`);
  const told = rows.map(({ action, details }) => `${action} ${details?.operation ?? ''}`.trim());
  const wanted = ['break-glass.request listForms', 'break-glass.request readSubmission', 'submission.read'];
  assert.deepEqual(told.toSorted(), wanted);
  const noted = rows.find(({ details }) => details?.operation === 'readSubmission');
  assert.deepEqual(noted.details.ids, [formId, submissionId]);
  const around = await auditOf(customer.id, `target = '${id}' and actor_kind = 'user'`);
  const steps = new Set(around.map(({ action }) => action));
  assert.deepEqual(steps, new Set(['break-glass.asked', 'break-glass.opened', 'break-glass.entered']));
});

test('owners and the security contact are told at once, without a reason', async () => {
  const owner = await signIn(app, customer, 'owner');
  const settings = { security_contact: 'security@clinic.example', review_days: 30, review_due_days: 7 };
  assert.equal((await owner.request('PUT', '/app/api/oversight', { body: settings })).status, 200);
  const { id, other } = await reading();
  const told = async (what: string) =>
    (
      await auditOf(customer.id, `action = 'break-glass.told' and target = '${id}' and details ->> 'what' = '${what}'`)
    )[0];
  await eventually(() => told('asked'));
  await eventually(() => told('opened'));
  assert.equal((await other.request('POST', `/app/api/operator/break_glass/${id}/end`)).status, 200);
  assert.equal((await eventually(() => told('ended'))).details.people, 2);
  const { db, vault } = app.installation;
  const keys = await vault.of(INSTALLATION);
  const addresses = await db.tenant([INSTALLATION], async (tx) => {
    const rows = await tx.selectFrom('messages').select('id').where('customer_id', '=', INSTALLATION).execute();
    const found = await addresseesOf(
      tx,
      keys,
      INSTALLATION,
      rows.map((row) => row.id),
    );
    return [...found.values()].flat().map(({ address }) => address);
  });
  assert.equal(addresses.filter((address) => address === 'security@clinic.example').length, 3);
  assert.equal(addresses.filter((address) => address === owner.email).length, 3);
  assert.doesNotMatch(app.logged(), /cannot sign in and asks/);
});

test('an owner sees the reason, approves with a fresh factor, sees the banner and ends it; no other customer can', async () => {
  clock.advance(10 * MINUTE); // what others opened is over
  const operator = await signIn(app, null, 'operator');
  const [owner, editor] = [await signIn(app, customer, 'owner'), await signIn(app, customer, 'editor')];
  const stranger = await signIn(app, await app.createCustomer(), 'owner');
  const { id } = (await ask(operator)).body;
  const listed = (await owner.request('GET', '/app/api/break_glass')).body.data;
  assert.deepEqual([listed[0].id, listed[0].reason, listed[0].state], [id, REASON, 'asked']);
  assert.equal((await stranger.request('GET', '/app/api/break_glass')).body.data.length, 0);
  const approve = (person: SignedIn) => person.request('POST', `/app/api/break_glass/${id}/approve`);
  assert.equal((await approve(editor)).status, 403);
  assert.equal((await approve(stranger)).status, 403);
  assert.equal((await approve(owner)).body.opened_by, 'customer');
  assert.equal((await approve(owner)).status, 409, 'it opens once');
  assert.equal((await owner.request('GET', '/app/api/session')).body.emergency.grant_id, id);
  await enter(operator, id);
  assert.equal((await readRecord(operator)).status, 200);
  const end = (person: SignedIn) => person.request('POST', `/app/api/break_glass/${id}/end`);
  assert.equal((await end(stranger)).status, 403);
  assert.equal((await end(owner)).status, 200);
  assert.equal((await readRecord(operator)).status, 403, 'it is over at once');
  assert.equal((await owner.request('GET', '/app/api/session')).body.emergency, null);
});

test('a code from the safe opens once, for whoever asked', async () => {
  const { db, vault } = app.installation;
  const keys = await vault.of(INSTALLATION);
  const [code = '', second = ''] = await db.untenanted((tx) => makeBreakGlassCodes(tx, { clock, keys }));
  const [operator, other] = [await signIn(app, null, 'operator'), await signIn(app, null, 'operator')];
  const { id } = (await ask(operator)).body;
  assert.equal((await open(operator, id, { code: 'abcde-abcde-abcde-abcde' })).status, 400);
  assert.equal((await open(other, id, { code })).status, 403);
  assert.equal((await open(operator, id, { code: code.toUpperCase().replaceAll('-', ' ') })).body.opened_by, 'code');
  const next = (await ask(operator)).body.id;
  assert.equal((await open(operator, next, { code })).status, 400, 'no second use');
  assert.equal((await open(operator, next, { code: second })).status, 200);
  const { body } = await operator.request('GET', '/app/api/operator/break_glass');
  assert.equal(body.codes_left, 8);
  assert.equal((await auditOf(INSTALLATION, `action = 'break-glass.code-refused'`)).length, 2);
});

test('whoever leaves is an operator again, and a grant is for the one who asked', async () => {
  const { operator, other, id } = await reading();
  assert.equal((await enter(other, id)).status, 403);
  assert.equal((await operator.request('POST', '/app/api/operator/break_glass/leave')).status, 200);
  assert.equal((await readRecord(operator)).status, 403);
  assert.equal((await enter(operator, id)).status, 200, 'while it is open');
  assert.equal((await readRecord(operator)).status, 200);
});

test('the database itself lets no grant be opened or ended twice', async () => {
  const { id } = await reading();
  await asOwner(app, async (client) => {
    const change = (what: string) => client.query(`update break_glass_grants set ${what} where id = $1`, [id]);
    await assert.rejects(change(`expires_at = expires_at + interval '1 hour'`), /opened once/);
    await change(`ended_at = now(), ended_by_kind = 'cli'`);
    await assert.rejects(change('ended_at = null'), /ended once/);
  });
});
