import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { type Reply, type RequestOptions, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

const EMAIL = '/v1/email/webhook_endpoints';
const WEBHOOKS = '/v1/webhooks/endpoints';
const DELIVERED = 'api_mail_log_delivered';
const SUBMITTED = 'forms.submission.created';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

let counter = 0;
/** An address that no other endpoint has. */
function address(): string {
  counter += 1;
  return `https://hooks.example.com/${counter}`;
}

function ask(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Reply> {
  return app.request(method, path, { key: customer.key, ...(body === undefined ? {} : { body }), ...options });
}

/** Makes an endpoint in both worlds' words: its integer id, its UUID and its secret. */
async function make(more: Record<string, unknown> = {}) {
  const { body } = await ask('POST', EMAIL, { target_url: address(), events: [DELIVERED], ...more });
  const { body: listed } = await ask('GET', `${WEBHOOKS}?items=200`);
  const uuid: string = listed.data.find((each: { target_url: string }) => each.target_url === body.target_url).id;
  return { id: body.id as number, uuid, url: body.target_url as string, secret: body.signing_key as string };
}

test('secrets are shown once and never again', async () => {
  const api_key = 'key-for-the-receiver-1';
  const { id, uuid, secret } = await make({ api_key });
  const rotated = await ask('POST', `${WEBHOOKS}/${uuid}/rotate_secret`);
  assert.equal(rotated.status, 200);
  assert.match(rotated.body.data.signing_secret, SECRET);
  assert.notEqual(rotated.body.data.signing_secret, secret);
  const own = 'another-key-of-our-own';
  const replies = [
    await ask('PATCH', `${EMAIL}/${id}`, { signing_key: own, api_key }),
    await ask('PATCH', `${WEBHOOKS}/${uuid}`, { ordered: true }),
    await ask('GET', `${EMAIL}/${id}`),
    await ask('GET', `${WEBHOOKS}/${uuid}`),
    await ask('GET', EMAIL),
    await ask('GET', `${WEBHOOKS}?items=200`),
    await ask('DELETE', `${EMAIL}/${id}`),
  ];
  for (const { status, text } of replies) {
    assert.equal(status, 200);
    for (const hidden of [secret, own, api_key, rotated.body.data.signing_secret, 'signing_key', 'signing_secret']) {
      assert.ok(!text.includes(hidden), hidden);
    }
  }
  const stored = await asOwner(app, async (client) => {
    const { rows } = await client.query('select e::text as row from webhook_endpoints e');
    return JSON.stringify(rows);
  });
  assert.ok(!stored.includes(Buffer.from(own).toString('hex')) && !stored.includes('hooks.example.com'), 'sealed');
});

test('credentials that could change a request or sign nothing are refused', async () => {
  const { id } = await make();
  const wrong = [
    'a\r\nX-Injected: 1-----',
    'tab\there-is-a-long-one',
    'ümlaut-is-not-visible-ascii',
    'with a space in the text',
    'x'.repeat(256),
  ];
  for (const value of wrong) {
    for (const field of ['api_key', 'signing_key']) {
      const target_url = address();
      for (const { status, text } of [
        await ask('POST', EMAIL, { target_url, events: [DELIVERED], [field]: value }),
        await ask('PATCH', `${EMAIL}/${id}`, { [field]: value }),
        await ask('PATCH', `${EMAIL}/${id}`, undefined, {
          raw: new URLSearchParams({ [field]: value }).toString(),
          headers: FORM,
        }),
      ]) {
        assert.equal(status, 400, `${field} ${JSON.stringify(value)}`);
        assert.ok(text.includes(field) && !text.includes(value));
      }
    }
  }
  for (const empty of ['whsec_', 'whsec_-', 'whsec_=']) {
    assert.equal((await ask('PATCH', `${EMAIL}/${id}`, { signing_key: empty })).status, 400, empty);
  }
  for (const none of ['', null]) {
    assert.equal((await ask('PATCH', `${EMAIL}/${id}`, { api_key: none, signing_key: none })).status, 200);
  }
});

test('a signing key may be short, as those of clients in the field are', async () => {
  const { id } = await make();
  for (const signing_key of ['Abc', 'whsec_abc123']) {
    assert.equal((await ask('PATCH', `${EMAIL}/${id}`, { signing_key })).status, 200, signing_key);
  }
});

test('a key sees and touches only the endpoints whose events its scopes cover', async () => {
  const owner = await app.createCustomer();
  const forms = (await app.createKey(owner, ['forms'])).key;
  const email = (await app.createKey(owner, ['email'])).key;
  const create = async (events: string[], key = owner.key) => {
    const reply = await ask('POST', WEBHOOKS, { target_url: address(), events }, { key });
    assert.equal(reply.status, 201);
    return reply.body.data.id as string;
  };
  const submitted = await create([SUBMITTED], forms);
  const delivered = await create([DELIVERED], email);
  const both = await create([SUBMITTED, DELIVERED]);
  const idsFor = async (key: string) => {
    const { body } = await ask('GET', WEBHOOKS, undefined, { key });
    assert.equal(body.page_info.count, body.data.length);
    return body.data.map((each: { id: string }) => each.id);
  };
  assert.deepEqual(await idsFor(forms), [submitted]);
  assert.deepEqual(await idsFor(email), [delivered]);
  assert.deepEqual(await idsFor(owner.key), [submitted, delivered, both]);

  const refusal = { message: `events: not entitled to '${DELIVERED}'` };
  const operations: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { events: [SUBMITTED] }],
    ['POST', '/rotate_secret'],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${randomUUID()}`],
    ['POST', '/replay', { from_sequence: 1 }],
    ['DELETE', ''],
  ];
  for (const id of [delivered, both]) {
    for (const [method, rest, body] of operations) {
      const reply = await ask(method, `${WEBHOOKS}/${id}${rest}`, body, { key: forms });
      assert.deepEqual([reply.status, reply.body], [403, refusal], `${method} ${rest}`);
    }
  }
  const asked = { target_url: address(), events: [SUBMITTED, DELIVERED] };
  const made = await ask('POST', WEBHOOKS, asked, { key: forms });
  assert.deepEqual([made.status, made.body], [403, refusal]);
  const widened = await ask('PATCH', `${WEBHOOKS}/${submitted}`, { events: [DELIVERED] }, { key: forms });
  assert.deepEqual([widened.status, widened.body], [403, refusal]);

  const listed = (await ask('GET', EMAIL, undefined, { key: email })).body;
  assert.deepEqual(
    listed.map((each: { events: string[] }) => each.events),
    [[DELIVERED]],
  );
  assert.equal((await ask('POST', EMAIL, asked, { key: email })).status, 403);
  assert.equal((await ask('GET', EMAIL, undefined, { key: forms })).status, 401, 'the Email area wants its scope');
});

test('the Email area takes both header forms, the other only Bearer', async () => {
  const token = { authorization: `Token token=${customer.key}` };
  assert.equal((await app.request('GET', EMAIL, { headers: token })).status, 200);
  assert.equal((await app.request('GET', WEBHOOKS, { key: customer.key })).status, 200);
  for (const headers of [token, { authorization: 'Bearer wrong' }, {}]) {
    const { status, body } = await app.request('GET', WEBHOOKS, { headers });
    assert.deepEqual([status, Object.keys(body)], [401, ['message']]);
  }
});

test("another customer's endpoint is 403, and what is no id is 404", async () => {
  const { id, uuid } = await make();
  const { key } = await app.createCustomer();
  for (const [path, missing] of [
    [EMAIL, ['0', '2147483647', '99999999999', '-1', 'x', uuid]],
    [WEBHOOKS, [randomUUID(), String(id), 'x']],
  ] as const) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined;
      const foreign = await ask(method, `${path}/${path === EMAIL ? id : uuid}`, body, { key });
      assert.equal(foreign.status, 403, `${method} ${path}`);
      for (const none of missing) assert.equal((await ask(method, `${path}/${none}`, body)).status, 404, none);
    }
  }
});

test('a POST with an idempotency key is carried out once', async () => {
  const { key } = await app.createCustomer();
  for (const [index, path] of [EMAIL, WEBHOOKS].entries()) {
    const headers = { 'idempotency-key': 'once' };
    const body = { target_url: address(), events: [DELIVERED] };
    const first = await ask('POST', path, body, { key, headers });
    const again = await ask('POST', path, body, { key, headers });
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal((await ask('POST', path, { ...body, target_url: address() }, { key, headers })).status, 409);
    assert.equal((await ask('GET', EMAIL, undefined, { key })).body.length, index + 1);
  }
});
