import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { messageTo } from '../support/mail.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

async function refusal(path: string, body: unknown): Promise<Record<string, unknown>> {
  const reply = await app.request('POST', path, { key: customer.key, body });
  assert.equal(reply.status, 400, reply.text);
  return reply.body;
}

async function detailsOf(path: string, body: unknown): Promise<string> {
  const { errors } = (await refusal(path, body)) as { errors: { details: string }[] };
  return errors[0]?.details as string;
}

const sent = (more: Record<string, unknown>) => ({ data: { message: messageTo('a@example.com', more) } });

test('all forms that a field takes are told in one rule', async () => {
  const message = messageTo('a@example.com', { cc: 7 });
  assert.equal(
    await detailsOf('/v1/email/messages', { data: { message } }),
    'data.message.cc must be array, string, or null',
  );
  assert.match(
    await detailsOf('/v1/email/bulk_messages', { data: { messages: [message] } }),
    /^messages\[0\]: cc must be array, string, or null$/,
  );
  const { details } = await refusal('/v1/marketing/subscribers', { subscriber: { email: 5 } });
  assert.deepEqual(details, { 'subscriber.email': ['must be string or null'] });
});

test('of a field that has one of its forms the rule is told that it breaks, and of a list what is wrong in it', async () => {
  assert.equal(
    await detailsOf('/v1/email/messages', sent({ cc: ['b@example.com', 5] })),
    'data.message.cc.1 must be string or null',
  );
  assert.equal(
    await detailsOf('/v1/email/messages', sent({ content: { 'text/plain': 5 } })),
    'data.message.content.text/plain must be string, null, or array',
  );
  const form = { title: 'x'.repeat(501), form_json: {}, customer_id: customer.id };
  const { fields } = await refusal('/v1/forms/api/forms', form);
  assert.deepEqual(fields, { title: ['must NOT have more than 500 characters'] });
  const list = { subscription_list_id: 'x'.repeat(101), title: 'Intake', form_json: {}, customer_id: customer.id };
  const told = (await refusal('/v1/forms/api/forms', list)).fields;
  assert.deepEqual(told, { subscription_list_id: ['must NOT have more than 100 characters'] });
});

test('the name of a header that a caller made up does not come back', async () => {
  const headers = { from: 'clinic@example.org', 'X-Ann-Patient': 5 };
  const told = await detailsOf('/v1/email/messages', { data: { message: messageTo('a@example.com', { headers }) } });
  assert.equal(told, 'headers: takes a text');
});

test('the words that a field takes are told', async () => {
  const body = { address: 'a@example.com', reason: 'opt_out' };
  assert.equal(await detailsOf('/v1/email/suppressions', body), 'reason must be "manual"');
});

test('what is missing is named', async () => {
  const { fields } = await refusal('/v1/forms/api/forms', { form_json: {}, customer_id: customer.id });
  assert.deepEqual(fields, { title: ['is required'] });
});
