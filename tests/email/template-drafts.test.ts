import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { signIn } from '../support/people-session.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

async function createTemplate(key: string): Promise<string> {
  const body = { name: 'Reminder', subject: 'On {{day}}', body: '<p>Dear {{name}}</p>' };
  const made = await app.request('POST', '/v1/email/dynamic_templates', { key, body });
  assert.equal(made.status, 201, made.text);
  return `/v1/email/dynamic_templates/${made.body.id}`;
}

test('a text that is not stored is rendered as it would be, and stays unstored', async () => {
  const { key } = await app.createCustomer();
  const path = await createTemplate(key);
  const preview = (body: object) => app.request('POST', `${path}/preview`, { key, body });
  const template_variables = { name: '<Ann>', day: 'Monday', city: 'Bern' };

  const stored = await preview({ template_variables });
  assert.deepEqual(stored.body, {
    subject: 'On Monday',
    html: '<p>Dear &lt;Ann&gt;</p>',
    missing: [],
    variables: ['day', 'name'],
  });
  const draft = await preview({ template_variables, body: '<b>{{city}}</b> {{street}}', subject: '' });
  assert.deepEqual(draft.body, {
    subject: null,
    html: '<b>Bern</b> ',
    missing: ['street'],
    variables: ['city', 'street'],
  });
  const onlySubject = await preview({ template_variables, subject: 'In {{city}}' });
  assert.deepEqual([onlySubject.body.subject, onlySubject.body.html], ['In Bern', '<p>Dear &lt;Ann&gt;</p>']);
  assert.equal((await preview({ template_variables, body: '{{{name}}}' })).body.html, '&lt;Ann&gt;');
  const raw = await preview({ template_variables, body: '{{{name}}}', allow_raw_html: true });
  assert.equal(raw.body.html, '<Ann>');

  const after = await app.request('GET', path, { key });
  assert.deepEqual([after.body.version, after.body.body], [1, '<p>Dear {{name}}</p>']);
});

test('what is wrong with a text is told by its line', async () => {
  const { key } = await app.createCustomer();
  const path = await createTemplate(key);
  const { status, body } = await app.request('POST', `${path}/preview`, { key, body: { body: 'one\n{{#if x}}' } });
  assert.equal(status, 400);
  assert.match(body.error, /^body: line 2/);
});

test('somebody who only reads sees how a template looks, and changes nothing', async () => {
  const customer = await app.createCustomer();
  const path = await createTemplate(customer.key);
  const reader = await signIn(app, customer, 'reader');
  const seen = await reader.request('POST', `${path}/preview`, { body: { template_variables: { name: 'Ann' } } });
  assert.equal(seen.body.html, '<p>Dear Ann</p>');
  assert.equal((await reader.request('PATCH', path, { body: { body: 'other' } })).status, 403);
});
