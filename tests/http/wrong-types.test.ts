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

test('the words that a field takes are told', async () => {
  const body = { address: 'a@example.com', reason: 'opt_out' };
  assert.equal(await detailsOf('/v1/email/suppressions', body), 'reason must be "manual"');
});

test('what is missing is named', async () => {
  const { fields } = await refusal('/v1/forms/api/forms', { form_json: {}, customer_id: customer.id });
  assert.deepEqual(fields, { title: ['is required'] });
});
