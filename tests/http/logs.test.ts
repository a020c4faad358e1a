import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';

const CLIENT = '203.0.113.77';
const planted: string[] = [];

/** A word that stands nowhere else, to be searched for afterwards. */
function plant(what: string): string {
  const word = `planted-${what}-${randomUUID()}`;
  planted.push(word);
  return word;
}

/** Headers that a client may send with anything, each with a word of its own. */
function headersWith(more: Record<string, string> = {}): Record<string, string> {
  return {
    'user-agent': plant('agent'),
    cookie: `session=${plant('cookie')}`,
    referer: `https://example.com/${plant('referer')}`,
    origin: `https://${plant('origin')}.example`,
    'x-request-id': plant('request-id'),
    'x-forwarded-for': CLIENT,
    'x-forwarded-host': plant('forwarded-host'),
    'x-anything': plant('header'),
    ...more,
  };
}

function messageBody(changes: Record<string, unknown> = {}) {
  const attached = plant('attachment');
  return {
    data: {
      message: {
        recipients: [`${plant('to-name')} <${plant('to')}@example.com>`, `x@${plant('to-domain')}.example`],
        cc: [`${plant('cc')}@example.com`],
        bcc: [`${plant('bcc')}@example.com`],
        headers: {
          from: `${plant('from-name')} <${plant('from')}@example.org>`,
          subject: plant('subject'),
          'reply-to': `${plant('reply-to')}@example.org`,
          [`X-${plant('header-name')}`]: plant('header-value'),
          'List-Unsubscribe': `<https://example.org/${plant('list-header')}>`,
        },
        content: { 'text/plain': plant('text'), 'text/html': `<p>${plant('html')}</p>` },
        attachments: [
          {
            fileName: `${plant('file')}.txt`,
            contentType: `text/${plant('type')}`,
            content: Buffer.from(attached).toString('base64'),
            contentId: plant('content-id'),
            disposition: plant('disposition'),
          },
        ],
        [plant('unknown-key')]: plant('unknown-value'),
        ...changes,
      },
      [plant('unknown-key')]: plant('unknown-value'),
    },
  };
}

function subscriberBody(changes: Record<string, unknown> = {}) {
  return {
    subscriber: {
      email: `${plant('email')}@example.com`,
      first_name: plant('first-name'),
      last_name: plant('last-name'),
      custom_fields: [{ [plant('field')]: plant('value') }, { name: plant('field'), value: plant('value') }],
      [plant('unknown-key')]: plant('unknown-value'),
      ...changes,
    },
  };
}

/** A request to each of the operations that take words of a customer's own, with its status. */
function otherWords(template: string): [path: string, body: object, status: number][] {
  const { message } = messageBody().data;
  const later = new Date(Date.now() + 3600_000).toISOString();
  const values = { name: plant('value'), list: [plant('value')] };
  const target = () => `http://127.0.0.1:9/${plant('target')}?${plant('target-query')}`;
  const events = ['api_mail_log_delivered'];
  return [
    ['/v1/email/dynamic_templates', { name: template, body: `<p>${plant('body')} {{name}}</p>` }, 201],
    ['/v1/email/bulk_messages', { data: { messages: [message, { ...message, unsubscribe_url: target() }] } }, 200],
    ['/v1/email/templated_messages', { data: { template_name: template, template_values: values, message } }, 200],
    ['/v1/email/schedule', { data: { message, scheduled_at: later, template_id: template } }, 200],
    [
      '/v1/email/webhook_endpoints',
      { target_url: target(), events, api_key: plant('api-key'), signing_key: plant('signing-key') },
      201,
    ],
    ['/v1/webhooks/endpoints', { target_url: target(), events }, 201],
  ];
}

/** The status of what fails validation at an address. */
function refusedBy(path: string): number {
  return path.includes('/webhook') ? 422 : 400;
}

const withQuery = (path: string) => `${path}?${plant('query-name')}=${plant('query-value')}`;

function post(app: TestApp, { key }: Pick<TestCustomer, 'key'>, path: string, body: unknown): Promise<Reply> {
  const headers = headersWith({ 'idempotency-key': plant('idempotency-key') });
  return app.request('POST', withQuery(path), { key, headers, body });
}

const send = (app: TestApp, caller: Pick<TestCustomer, 'key'>, body: unknown) =>
  post(app, caller, '/v1/email/messages', body);
const subscribe = (app: TestApp, caller: Pick<TestCustomer, 'key'>, body: unknown) =>
  post(app, caller, '/v1/marketing/subscribers', body);

function listForms(app: TestApp, { key }: Pick<TestCustomer, 'key'>, query: Record<string, string>): Promise<Reply> {
  const search = new URLSearchParams({ ...query, [plant('query-name')]: plant('query-value') });
  return app.request('GET', `/v1/forms/api/forms?${search.toString()}`, { key, headers: headersWith() });
}

/** An app whose clients come through a proxy, so that each has an address that could be logged. */
async function start(t: TestContext): Promise<TestApp> {
  planted.length = 0;
  const env = { CAREPOST_ROLES: 'http,worker', CAREPOST_TRUSTED_PROXIES: '127.0.0.1' };
  return startApp(t, { env });
}

function asOwner(app: TestApp, work: (client: Client) => Promise<unknown>): Promise<unknown> {
  return withConnection(app.installation.ownerUrl, work);
}

/** Fails where a word that was planted, a key or an address of a client stands in the log or in the metrics. */
async function assertNothingTold(app: TestApp, keys: string[], replies: Reply[]): Promise<void> {
  const control = `control-${randomUUID()}`;
  app.installation.log.info({ control }, 'a line of the test');
  const log = app.logged();
  const { text: metrics } = await app.request('GET', '/metrics');
  assert.ok(log.includes(control), 'the log is the one that the product writes');
  for (const { headers } of replies) assert.ok(log.includes(headers.get('x-request-id') as string));
  assert.match(metrics, /carepost_http_request_seconds_count\{/);
  const secrets = keys.map((key) => key.slice('cp_live_'.length + 12));
  assert.ok(planted.length > 0);
  for (const word of [...planted, ...secrets, CLIENT, '127.0.0.1', '::1']) {
    assert.ok(!log.includes(word), `the log holds ${word}`);
    assert.ok(!metrics.includes(word), `the metrics hold ${word}`);
  }
  for (const line of log.split('\n').filter(Boolean)) {
    const { route = '' } = JSON.parse(line);
    assert.ok(!route.includes('?'), 'query strings are not logged');
  }
}

/** Fails where a refusal has another status, or repeats what was sent. */
function assertRefusals(replies: [Reply, number][]): void {
  for (const [reply, status] of replies) {
    assert.equal(reply.status, status, reply.text);
    for (const word of planted) assert.ok(!reply.text.includes(word), `a reply of ${status} repeats ${word}`);
  }
}

test('requests that succeed leave nothing of what was sent in logs and metrics', async (t) => {
  const app = await start(t);
  const customer = await app.createCustomer();
  const form = { title: plant('title'), description: plant('description') };
  await addForm(app, customer.id, form);
  const replies = [
    await send(app, customer, messageBody()),
    await post(app, customer, `/v1/${customer.username}/messages`, messageBody()),
    await subscribe(app, customer, subscriberBody()),
    await subscribe(app, customer, subscriberBody({ email: null, phone_number: '+1 415 555 0123' })),
    await listForms(app, customer, { customer_id: String(customer.id), search: form.title }),
    await listForms(app, customer, { customer_id: String(customer.id), form_id: plant('form-id') }),
  ];
  planted.push('4155550123', '415 555 0123');
  for (const reply of replies) assert.equal(reply.status, 200, reply.text);
  for (const [path, body, status] of otherWords(plant('template'))) {
    const reply = await post(app, customer, path, body);
    assert.equal(reply.status, status, reply.text);
    replies.push(reply);
  }
  const inbox = await eventually(async () => {
    const reply = await app.request('GET', '/v1/email/sandbox/messages', { key: customer.key });
    return reply.body.data.length >= 2 && reply;
  });
  const recipient = inbox.body.data[0].to[0];
  const oneInbox = await app.request('GET', `/v1/email/sandbox/messages?to=${recipient}`, { key: customer.key });
  assert.ok(oneInbox.text.includes('planted-subject'), 'the words come back where they should');
  await assertNothingTold(app, [customer.key], [...replies, inbox, oneInbox]);
});

test('requests that are refused leave nothing of what was sent in replies, logs and metrics', async (t) => {
  const app = await start(t);
  const customer = await app.createCustomer();
  const unsigned = await app.createCustomer({ agreement: false });
  const formsOnly = await app.createKey(customer, ['forms']);
  const stranger = { key: plant('key') };
  const own = { customer_id: String(customer.id) };
  const once = { 'idempotency-key': plant('idempotency-key') };
  const raw = (path: string, headers: Record<string, string>, text: string) =>
    app.request('POST', withQuery(path), { key: customer.key, headers: headersWith(headers), raw: text });
  const repeat = (body: unknown) =>
    app.request('POST', '/v1/email/messages', { key: customer.key, headers: headersWith(once), body });
  const setUp = (body: unknown) =>
    app.request('POST', withQuery('/app/api/setup'), {
      headers: headersWith({ origin: app.installation.config.publicUrl }),
      body,
    });
  const json = { 'content-type': 'application/json' };
  await repeat(messageBody());

  const refusals: [Reply, number][] = [];
  for (const path of ['/v1/email/messages', '/v1/marketing/subscribers']) {
    const bodies = path.includes('email') ? messageBody : subscriberBody;
    refusals.push(
      [await raw(path, json, `{"${plant('broken')}": ${plant('json')}`), 400],
      [await raw(path, json, JSON.stringify(plant('text'))), 400],
      [await raw(path, json, JSON.stringify({ data: plant('data'), subscriber: plant('subscriber') })), 400],
      [await raw(path, json, JSON.stringify({ [plant('name')]: 'a\0b' })), 400],
      [await raw(path, { 'content-type': `text/${plant('type')}` }, plant('body')), 415],
      [await raw(path, { ...json, 'content-encoding': plant('encoding') }, plant('body')), 415],
      [await post(app, stranger, path, bodies()), 401],
      [await post(app, formsOnly, path, bodies()), 401],
      [await post(app, unsigned, path, bodies()), 403],
    );
  }
  for (const [path, body] of otherWords(plant('template')))
    refusals.push(
      [await post(app, stranger, path, body), 401],
      [await post(app, customer, path, { ...body, data: plant('data'), target_url: plant('target') }), refusedBy(path)],
    );
  const ofTemplate = (body: string) =>
    post(app, customer, '/v1/email/dynamic_templates', { name: plant('name'), body: `${plant('body')}${body}` });
  refusals.push(
    [await ofTemplate(`{{${plant('variable')}`), 400],
    [await ofTemplate(`{{#if ${plant('variable')}}}`), 400],
    [await ofTemplate(`{{> ${plant('partial')}}}`), 400],
    [await send(app, customer, messageBody({ recipients: [plant('address')] })), 400],
    [await send(app, customer, messageBody({ recipients: plant('address') })), 400],
    [await send(app, customer, messageBody({ cc: [`${plant('address')}@`] })), 400],
    [await send(app, customer, messageBody({ headers: { from: plant('from') } })), 400],
    [await send(app, customer, messageBody({ headers: { from: 'a@b.example', [plant('bad name')]: 'x' } })), 400],
    [await send(app, customer, messageBody({ headers: { from: 'a@b.example', subject: `${plant('a')}\r\nx` } })), 400],
    [await send(app, customer, messageBody({ attachments: [{ fileName: `${plant('file')}\n`, content: '' }] })), 400],
    [await send(app, customer, { data: { ...messageBody().data, template_id: plant('template') } }), 404],
    [await subscribe(app, customer, subscriberBody({ email: plant('email') })), 422],
    [await subscribe(app, customer, subscriberBody({ phone_number: plant('phone') })), 422],
    [await subscribe(app, customer, subscriberBody({ custom_fields: plant('fields') })), 400],
    [await subscribe(app, customer, subscriberBody({ custom_fields: [{ [plant('field')]: {} }] })), 400],
    [await subscribe(app, customer, { ...subscriberBody(), subscription_list_id: plant('list') }), 404],
    [await listForms(app, customer, { customer_id: plant('customer') }), 400],
    [await listForms(app, customer, { customer_id: String(unsigned.id) }), 403],
    [await listForms(app, customer, { ...own, search: `${plant('search')}\0` }), 400],
    [await listForms(app, stranger, own), 401],
    [await repeat(messageBody()), 409],
    [await post(app, stranger, '/app/api/setup', { token: plant('token'), password: plant('password') }), 403],
    [await setUp({ token: plant('token'), password: plant('password') }), 404],
    [await setUp({ token: [plant('token')], password: plant('password') }), 400],
    [await app.request('GET', withQuery(`/v1/email/${plant('path')}`), { headers: headersWith() }), 404],
    [await app.request('GET', withQuery(`/${plant('path')}`), { headers: headersWith() }), 404],
    [await app.request('DELETE', withQuery('/v1/email/messages'), { headers: headersWith() }), 405],
    [await post(app, customer, `/v1/${plant('username')}/messages`, messageBody()), 401],
    [await post(app, customer, `/v1/orca/${plant('username')}/subscribers`, subscriberBody()), 401],
  );
  assertRefusals(refusals);
  const keys = [customer.key, unsigned.key, formsOnly.key];
  await assertNothingTold(
    app,
    keys,
    refusals.map(([reply]) => reply),
  );
});

test('statements that fail in the database leave nothing of what was sent in replies, logs and metrics', async (t) => {
  const app = await start(t);
  const customer = await app.createCustomer();
  const own = { customer_id: String(customer.id) };
  // A constraint of which PostgreSQL may repeat the row, and a trigger that repeats it wherever it can.
  await asOwner(app, (client) =>
    client.query(`alter table subscribers add constraint broken check (first_name is null) not valid;
      create function tell() returns trigger language plpgsql as $$
        declare word text := 'told ' || new.from_address;
        begin raise exception using message = word, detail = word, hint = word; end $$;
      create trigger tell before insert on messages for each row execute function tell();
      alter table form_texts rename to form_texts_away`),
  );
  const refusals: [Reply, number][] = [
    [await send(app, customer, messageBody()), 500],
    [await subscribe(app, customer, subscriberBody()), 500],
    [await listForms(app, customer, { ...own, search: plant('search') }), 500],
  ];
  assertRefusals(refusals);
  for (const [{ text }] of refusals) assert.doesNotMatch(text, /told|broken|form_texts|select|insert|\bat\b.*\.ts/i);
  assert.match(app.logged(), /"code":"23514".*"constraint":"broken"/, 'the operator is told which statement failed');
  await assertNothingTold(
    app,
    [customer.key],
    refusals.map(([reply]) => reply),
  );
});
