import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { signIn } from '../support/people-session.ts';

test('an owner renames the customer, and nobody else does', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const admin = await signIn(app, customer, 'admin');
  const renamed = await owner.request('PATCH', '/app/api/customer', { body: { name: ' Elm Street Clinic ' } });
  assert.equal(renamed.body.name, 'Elm Street Clinic');
  assert.equal(renamed.body.username, customer.username);
  assert.equal((await owner.request('PATCH', '/app/api/customer', { body: { name: '  ' } })).status, 400);
  assert.equal((await owner.request('PATCH', '/app/api/customer', { body: { name: 'Elm\nOak' } })).status, 400);
  assert.equal((await admin.request('PATCH', '/app/api/customer', { body: { name: 'Ours' } })).status, 403);
  assert.equal((await admin.request('GET', '/app/api/customer')).body.name, 'Elm Street Clinic');
});

test('new forms keep submissions as long as the customer says, and forms that are there keep what they have', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const admin = await signIn(app, customer, 'admin');
  const makeForm = async () => {
    const body = { customer_id: customer.id, title: 'Intake', form_json: {} };
    return (await app.request('POST', '/v1/forms/api/forms', { key: customer.key, body })).body.id as string;
  };
  const daysOf = async (id: string) =>
    (await app.request('GET', `/v1/forms/api/forms/${id}/retention`, { key: customer.key })).body.retention_days;
  const before = await makeForm();
  const { body } = await admin.request('GET', '/app/api/retention');
  assert.deepEqual(body, {
    content_days: null,
    sandbox_days: null,
    log_days: null,
    webhook_days: null,
    work_days: null,
    marketing_days: null,
    audit_years: null,
    operator: {
      content_days: 30,
      sandbox_days: 30,
      log_days: 2_192,
      webhook_days: 90,
      work_days: 90,
      marketing_days: 2_192,
      audit_years: 6,
    },
    backup_days: 35,
    export_days: 7,
    mailing_days: 2_192,
    form_default_days: null,
  });
  const set = (days: number | null) =>
    admin.request('PUT', '/app/api/retention', { body: { form_default_days: days } });
  assert.equal((await set(0)).status, 400);
  assert.equal((await set(365)).body.form_default_days, 365);
  assert.equal(await daysOf(await makeForm()), 365);
  assert.equal(await daysOf(before), null);
  await set(null);
  assert.equal(await daysOf(await makeForm()), null);
});

test('how long things are kept is set by an admin who has just shown the second factor', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const form = `/v1/forms/api/forms/${await addForm(app, customer.id)}/retention`;
  const admin = await signIn(app, customer, 'admin');
  const set = (path: string, body: object) => admin.request('PUT', path, { body });
  assert.equal((await set('/app/api/retention', { log_days: 400 })).status, 200);
  assert.equal((await set(form, { retention_days: 400 })).status, 200);
  clock.advance(10 * 60_000);
  for (const late of [await set('/app/api/retention', { log_days: 1 }), await set(form, { retention_days: 1 })])
    assert.deepEqual([late.status, late.headers.get('step-up')], [403, 'required']);
  assert.equal((await admin.request('GET', '/app/api/retention')).body.log_days, 400);
  assert.equal((await admin.request('GET', form)).body.retention_days, 400);
  const byKey = await app.request('PUT', form, { key: customer.key, body: { retention_days: 300 } });
  assert.equal(byKey.status, 200, 'a key has no factor to show');
});

test('closing ends keys, people, drips and the agreement, deletes nothing, and signing again opens it', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const editor = await signIn(app, customer, 'editor');
  const form = { customer_id: customer.id, title: 'Intake', active: true, form_json: {} };
  const made = await app.request('POST', '/v1/forms/api/forms', { key: customer.key, body: form });
  const close = (confirm: string) => owner.request('POST', '/app/api/customer/close', { body: { confirm } });
  assert.deepEqual((await close('another')).body.fields, { confirm: ['takes the username of the customer'] });
  const closed = await close(customer.username);
  assert.deepEqual(closed.body, {
    keys: 1,
    people: 1,
    drips: 0,
    sends: 0,
    imports: 0,
    jobs: 0,
    scheduled: 0,
    webhooks: 0,
  });
  await eventually(async () => (await editor.request('GET', '/app/api/team')).status === 401);
  await eventually(
    async () =>
      (await app.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key: customer.key })).status ===
      401,
  );
  assert.equal((await app.request('GET', `/api/forms/${made.body.id}`)).status >= 400, true);
  const state = await owner.request('GET', '/app/api/customer');
  assert.notEqual(state.body.closed_at, null);
  assert.equal((await owner.request('GET', '/app/api/agreement')).body.in_force, false);
  const { body: forms } = await owner.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`);
  assert.equal(forms.results.length, 1, 'nothing is deleted');
  const key = { name: 'New', mode: 'live', scopes: ['forms'] };
  const person = { email: 'late@example.org', name: 'Late', role: 'reader' };
  assert.equal((await owner.request('POST', '/app/api/api_keys', { body: key })).status, 409);
  assert.equal((await owner.request('POST', '/app/api/team', { body: person })).status, 409);
  const { version } = (await owner.request('GET', '/app/api/agreement')).body.text;
  const signing = { signer_name: 'Dana Reyes', signer_title: 'Owner', accepted: true, version };
  assert.equal((await owner.request('POST', '/app/api/agreement/sign', { body: signing })).status, 201);
  assert.equal((await owner.request('GET', '/app/api/customer')).body.closed_at, null);
  assert.equal((await owner.request('POST', '/app/api/api_keys', { body: key })).status, 201);
});
