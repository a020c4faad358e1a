import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/people-session.ts';

const SIGNING = { signer_name: 'Dana Reyes', signer_title: 'Practice manager', accepted: true };

/** A form is made only where an agreement is in force. */
function takesHealthData(app: TestApp, key: string) {
  const message = { recipients: ['a@example.com'], headers: { from: 'b@example.com', subject: 'Hello' } };
  return app.request('POST', '/v1/email/messages', { key, body: { data: { message } } });
}

test('an owner reads, signs and downloads the agreement, and health data is accepted from then on', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer({ agreement: false });
  const owner = await signIn(app, customer, 'owner');
  assert.equal((await takesHealthData(app, customer.key)).status, 403);
  const before = await owner.request('GET', '/app/api/agreement');
  assert.equal(before.body.in_force, false);
  assert.equal(before.body.agreement, null);
  const text = JSON.stringify(before.body.text);
  assert.ok(text.includes(customer.username), 'the customer is named');
  assert.doesNotMatch(text, /\{(customer|operator)\}/);
  for (const clause of ['164.504(e)(2)', '164.410', '164.524', '164.526', '164.528', 'Secretary', 'subcontractor']) {
    assert.ok(text.includes(clause), clause);
  }
  assert.equal((await owner.request('GET', '/app/api/agreement/pdf')).status, 404);
  const { version } = before.body.text;
  const sign = (body: object) => owner.request('POST', '/app/api/agreement/sign', { body });
  assert.equal((await sign({ ...SIGNING, version: '2020-1' })).status, 409, 'another version was read');
  assert.equal((await sign({ ...SIGNING, version, accepted: false })).status, 400);
  assert.equal((await sign({ ...SIGNING, version, signer_name: ' ' })).status, 400);
  assert.equal((await sign({ ...SIGNING, version })).status, 201);
  const { body } = await owner.request('GET', '/app/api/agreement');
  assert.equal(body.in_force, true);
  assert.equal(body.agreement.signer, 'Dana Reyes, Practice manager');
  assert.equal(body.agreement.has_pdf, true);
  const reply = await fetch(`${app.url}/app/api/agreement/pdf`, { headers: { cookie: owner.cookie } });
  assert.equal(reply.headers.get('content-type'), 'application/pdf');
  assert.match(reply.headers.get('content-disposition') ?? '', /attachment; filename="agreement-\d{4}-\d\d-\d\d\.pdf"/);
  const pdf = Buffer.from(await reply.arrayBuffer());
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  assert.ok(pdf.length > 10_000);
  await eventually(
    async () =>
      (await takesHealthData(app, customer.key)).status === 202 ||
      (await takesHealthData(app, customer.key)).status === 200,
  );
  const { body: history } = await owner.request('GET', '/app/api/agreements');
  assert.equal(history.data.length, 1);
  const { body: log } = await owner.request('GET', '/app/api/audit_log');
  const actions = log.data.map((entry: { action: string }) => entry.action);
  assert.ok(actions.includes('agreement.signed'));
  assert.ok(actions.includes('agreement.downloaded'));
});

test('an admin downloads what an owner signed, but does not sign', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer({ agreement: false });
  const admin = await signIn(app, customer, 'admin');
  const { version } = (await admin.request('GET', '/app/api/agreement')).body.text;
  assert.equal((await admin.request('POST', '/app/api/agreement/sign', { body: { ...SIGNING, version } })).status, 403);
  const owner = await signIn(app, customer, 'owner');
  await owner.request('POST', '/app/api/agreement/sign', { body: { ...SIGNING, version } });
  assert.equal((await admin.request('GET', '/app/api/agreement/pdf')).status, 200);
});
