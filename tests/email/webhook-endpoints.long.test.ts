import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { REFUSED } from '../net/target-urls.ts';
import { type Reply, type RequestOptions, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { AREAS } from '../support/endpoints.ts';

const EMAIL = '/v1/email/webhook_endpoints';
const WEBHOOKS = '/v1/webhooks/endpoints';
const DELIVERED = 'api_mail_log_delivered';
const OPENED = 'api_mail_log_opened';
const SUBMITTED = 'forms.submission.created';
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
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

test('integer ids: an endpoint is made, read, changed and taken away', async () => {
  const { id: api_customer_id, key } = await app.createCustomer();
  const asked = { target_url: address(), events: [DELIVERED, OPENED] };
  const made = await ask('POST', EMAIL, asked, { key });
  assert.equal(made.status, 201);
  const { data, message, ...top } = made.body;
  assert.equal(message, 'Webhook created!');
  assert.deepEqual(data, top);
  const { id, signing_key: secret, created_at, updated_at, ...rest } = top;
  assert.ok(Number.isInteger(id));
  assert.match(secret, SECRET);
  for (const time of [created_at, updated_at]) assert.match(time, RFC_3339);
  assert.deepEqual(rest, { api_customer_id, ...asked, active: true, ordered: false, failing: false });

  const fields = { id, created_at, updated_at, ...rest };
  const path = `${EMAIL}/${id}`;
  assert.deepEqual((await ask('GET', path, undefined, { key })).body, { ...fields, data: fields });
  assert.deepEqual((await ask('GET', EMAIL, undefined, { key })).body, [fields]);

  const put = await ask('PUT', path, { active: false }, { key });
  assert.deepEqual([put.status, put.body.message, put.body.events], [200, 'Webhook updated!', asked.events]);
  const changed = await ask('PATCH', path, { events: [OPENED], active: false, unknown: 1 }, { key });
  const after = { ...fields, events: [OPENED], active: false, updated_at: changed.body.updated_at };
  assert.deepEqual([changed.status, changed.body], [200, { ...after, data: after, message: 'Webhook updated!' }]);

  const left = await ask('DELETE', path, undefined, { key });
  assert.deepEqual([left.status, left.body], [200, { ...after, data: after, message: 'Webhook deleted!' }]);
  for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
    const { status, body } = await ask(method, path, method.startsWith('P') ? {} : undefined, { key });
    assert.deepEqual([status, Object.keys(body)], [404, ['errors']], method);
  }
  assert.deepEqual((await ask('GET', EMAIL, undefined, { key })).body, []);
});

test('UUIDs: an endpoint is made, read, changed and taken away', async () => {
  const { key } = await app.createCustomer();
  const asked = { target_url: address(), events: [DELIVERED, SUBMITTED] };
  const made = await ask('POST', WEBHOOKS, asked, { key });
  assert.equal(made.status, 201);
  assert.deepEqual(Object.keys(made.body), ['data', 'message']);
  const { signing_secret: secret, ...data } = made.body.data;
  assert.match(secret, SECRET);
  assert.match(data.id, UUID);
  for (const time of [data.created_at, data.updated_at]) assert.match(time, RFC_3339);
  const { id, created_at: _created, updated_at: _updated, ...rest } = data;
  assert.deepEqual(rest, { ...asked, status: 'active', ordered: false, failing: false });

  const path = `${WEBHOOKS}/${id}`;
  assert.deepEqual((await ask('GET', path, undefined, { key })).body, { data });
  const page = (await ask('GET', WEBHOOKS, undefined, { key })).body;
  assert.deepEqual(page, { data: [data], page_info: { count: 1, items: 50 } });

  const changed = await ask('PATCH', path, { status: 'disabled', ordered: true, events: [DELIVERED] }, { key });
  const after = { ...data, status: 'disabled', ordered: true, events: [DELIVERED] };
  assert.deepEqual(
    [changed.status, changed.body],
    [200, { data: { ...after, updated_at: changed.body.data.updated_at } }],
  );

  const left = await ask('DELETE', path, undefined, { key });
  assert.deepEqual([left.status, left.text], [204, '']);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const { status, body } = await ask(method, path, method === 'PATCH' ? {} : undefined, { key });
    assert.deepEqual([status, body], [404, { message: 'No such webhook endpoint' }], method);
  }
  assert.deepEqual((await ask('GET', WEBHOOKS, undefined, { key })).body.page_info, { count: 0, items: 50 });
});

test('an address is free again once its endpoint is gone', async () => {
  const { id, url } = await make();
  await ask('DELETE', `${EMAIL}/${id}`);
  assert.equal((await ask('POST', WEBHOOKS, { target_url: url, events: [DELIVERED] })).status, 201);
});

test('pages hold 50, at most 200, and nonsense counts as not given', async () => {
  const { key } = await app.createCustomer();
  const urls: string[] = Array.from({ length: 55 }, address);
  for (const target_url of urls) await ask('POST', WEBHOOKS, { target_url, events: [DELIVERED] }, { key });
  const list = async (query: string) => {
    const { status, body } = await ask('GET', `${WEBHOOKS}${query}`, undefined, { key });
    assert.equal(status, 200, query);
    return { urls: body.data.map((each: { target_url: string }) => each.target_url), info: body.page_info };
  };
  for (const query of ['', '?page=1', '?page=0&items=0', '?page=-1&items=x', '?page=1.5&items=%20', '?items=&page=']) {
    assert.deepEqual(await list(query), { urls: urls.slice(0, 50), info: { count: 55, items: 50 } }, query);
  }
  assert.deepEqual(await list('?page=2'), { urls: urls.slice(50), info: { count: 55, items: 50 } });
  assert.deepEqual(await list('?page=3&items=20'), { urls: urls.slice(40), info: { count: 55, items: 20 } });
  assert.deepEqual(await list('?page=9'), { urls: [], info: { count: 55, items: 50 } });
  assert.deepEqual(await list('?items=999'), { urls, info: { count: 55, items: 200 } });
});

test('forms take events joined by commas, in both encodings', async () => {
  const target_url = address();
  const given = { target_url, events: `${DELIVERED}, ${OPENED},`, active: '0', signing_key: 'a-key-of-our-own-making' };
  const made = await ask('POST', EMAIL, undefined, { raw: new URLSearchParams(given).toString(), headers: FORM });
  assert.equal(made.status, 201);
  assert.deepEqual([made.body.events, made.body.active], [[DELIVERED, OPENED], false]);
  assert.equal(made.body.signing_key, given.signing_key);

  const listed = `target_url=${encodeURIComponent(address())}&events[]=${DELIVERED}&events[]=${OPENED}&active=true`;
  const other = await ask('POST', EMAIL, undefined, { raw: listed, headers: FORM });
  assert.deepEqual([other.status, other.body.events, other.body.active], [201, [DELIVERED, OPENED], true]);

  const form = new FormData();
  form.set('events', OPENED);
  form.set('active', 'true');
  const reply = await fetch(`${app.url}${EMAIL}/${made.body.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${customer.key}` },
    body: form,
  });
  const { events, active, message } = (await reply.json()) as Record<string, unknown>;
  assert.deepEqual([events, active, message], [[OPENED], true, 'Webhook updated!']);
  assert.equal((await ask('POST', EMAIL, { target_url: address(), events: OPENED })).status, 201, 'also in JSON');
});

test('addresses that must not be called are refused in every spelling', async () => {
  const groups = ['private IPv4', 'the metadata of clouds and other link-local', 'userinfo', 'ports'];
  const refused = groups.flatMap((name) => REFUSED[name] as string[]);
  const urls = [...refused, 'http://example.com/', 'ftp://example.com/', 'https://db.internal/', 'https://intranet/'];
  const { id, uuid, url } = await make();
  for (const target_url of urls) {
    for (const [method, path] of [
      ['POST', EMAIL],
      ['POST', WEBHOOKS],
      ['PATCH', `${EMAIL}/${id}`],
      ['PATCH', `${WEBHOOKS}/${uuid}`],
    ] as const) {
      const { status, body, text } = await ask(method, path, { target_url, events: [DELIVERED] });
      assert.equal(status, 422, `${method} ${path} ${target_url}`);
      const words = body.message ?? body.errors[0].details;
      assert.match(words, /^target_url: /);
      assert.ok(!text.includes(target_url), 'the value is not repeated');
    }
  }
  assert.equal((await ask('GET', `${EMAIL}/${id}`)).body.target_url, url);
  for (const path of [EMAIL, WEBHOOKS]) {
    assert.equal((await ask('POST', path, { target_url: '', events: [DELIVERED] })).status, 422, path);
  }
});

test('an address comes back as it was written', async () => {
  const written = [
    'https://Hooks.Example.com',
    'HTTPS://hooks.example.com:443/A/../b?c#Part',
    'https://h.example.com?',
  ];
  for (const [at, target_url] of written.entries()) {
    const { key } = await app.createCustomer();
    const { body: made } = await ask('POST', EMAIL, { target_url, events: [DELIVERED] }, { key });
    const { body: other } = await ask('POST', WEBHOOKS, { target_url: address(), events: [DELIVERED] }, { key });
    assert.deepEqual([made.target_url, made.data.target_url], [target_url, target_url]);
    assert.equal((await ask('GET', `${EMAIL}/${made.id}`, undefined, { key })).body.target_url, target_url);
    const changed = { target_url: `${written[(at + 1) % 3]}#other` };
    const { body } = await ask('PATCH', `${WEBHOOKS}/${other.data.id}`, changed, { key });
    assert.equal(body.data.target_url, changed.target_url);
    const { body: page } = await ask('GET', WEBHOOKS, undefined, { key });
    const listed = page.data.map((each: { target_url: string }) => each.target_url);
    assert.deepEqual(listed, [target_url, changed.target_url]);
  }
});

test('what a change leaves null or blank stays as it is', async () => {
  const { id, url } = await make();
  const path = `${EMAIL}/${id}`;
  const nothing = { target_url: null, signing_key: null, api_key: null, events: null };
  const off = await ask('PATCH', path, { ...nothing, active: false });
  assert.deepEqual([off.status, off.body.active, off.body.target_url, off.body.events], [200, false, url, [DELIVERED]]);
  const raw = 'target_url&signing_key&api_key&active=true&events';
  const on = await ask('PATCH', path, undefined, { raw, headers: FORM });
  assert.deepEqual([on.status, on.body.active, on.body.target_url, on.body.events], [200, true, url, [DELIVERED]]);
});

test('a word that says neither yes nor no is refused and changes nothing', async () => {
  const { id } = await make();
  for (const name of ['active', 'ordered']) {
    const wish = { target_url: address(), events: [DELIVERED], [name]: 'banana' };
    for (const reply of [
      await ask('POST', EMAIL, wish),
      await ask('PATCH', `${EMAIL}/${id}`, { [name]: 'banana' }),
      await ask('PATCH', `${EMAIL}/${id}`, undefined, { raw: `${name}=banana`, headers: FORM }),
    ]) {
      assert.equal(reply.status, 400);
      assert.equal(reply.body.errors[0].details, `${name}: takes true or false`);
    }
  }
  const { body } = await ask('GET', `${EMAIL}/${id}`);
  assert.deepEqual([body.active, body.ordered], [true, false]);
});

test('UUIDs: an address that another endpoint has is refused, however it is written', async () => {
  const { url } = await make();
  const other = await make();
  const spellings = [
    url,
    url.replace('https://hooks', 'HTTPS://HOOKS'),
    `${url}#part`,
    url.replace('.com/', '.com:443/'),
  ];
  for (const target_url of spellings) {
    const again = { target_url, events: [OPENED] };
    for (const [method, path] of [
      ['POST', WEBHOOKS],
      ['PATCH', `${WEBHOOKS}/${other.uuid}`],
    ] as const) {
      assert.equal((await ask(method, path, again)).status, 422, `${method} ${path} ${target_url}`);
    }
  }
  const { body } = await ask('POST', WEBHOOKS, { target_url: url, events: [OPENED] });
  assert.deepEqual(body, { message: 'target_url: another endpoint has it' });
  const { key } = await app.createCustomer();
  assert.equal((await ask('POST', WEBHOOKS, { target_url: url, events: [OPENED] }, { key })).status, 201, 'of its own');

  const wanted = { target_url: address(), events: [OPENED] };
  const replies = await Promise.all(Array.from({ length: 6 }, () => ask('POST', WEBHOOKS, wanted)));
  const taken = replies.filter(({ status }) => status === 201);
  assert.deepEqual([taken.length, replies.filter(({ status }) => status === 422).length], [1, 5]);
});

test('integer ids: an address may be had by several endpoints, each of which stays as it can be changed', async () => {
  const { key } = await app.createCustomer();
  const wish = { target_url: address(), events: [DELIVERED] };
  const made = [await ask('POST', EMAIL, wish, { key }), await ask('POST', EMAIL, wish, { key })];
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201],
  );
  assert.notEqual(made[0]?.body.id, made[1]?.body.id);
  const { body: other } = await ask('POST', EMAIL, { ...wish, target_url: address() }, { key });
  const moved = await ask('PATCH', `${EMAIL}/${other.id}`, { target_url: wish.target_url }, { key });
  assert.deepEqual([moved.status, moved.body.target_url], [200, wish.target_url]);

  const { body: page } = await ask('GET', WEBHOOKS, undefined, { key });
  assert.equal(page.data.length, 3);
  for (const { id, target_url } of page.data) {
    const kept = await ask('PATCH', `${WEBHOOKS}/${id}`, { target_url, ordered: true }, { key });
    assert.deepEqual([kept.status, kept.body.data.ordered], [200, true]);
  }
  assert.equal((await ask('POST', WEBHOOKS, wish, { key })).status, 422);
});

test('events are at least one, all known, and never null', async () => {
  const { id, uuid } = await make();
  const wrong = [[], ['api_mail_log_clicked'], [DELIVERED, 'x'], [''], null, [null], 7, {}];
  for (const events of wrong) {
    const replies = [
      await ask('POST', EMAIL, { target_url: address(), events }),
      ...(events === null ? [] : [await ask('PATCH', `${EMAIL}/${id}`, { events })]),
      await ask('POST', WEBHOOKS, { target_url: address(), events }),
      await ask('PATCH', `${WEBHOOKS}/${uuid}`, { events }),
    ];
    const own = replies.slice(-2);
    for (const { status } of replies) assert.ok(status === 422 || status === 400, JSON.stringify(events));
    for (const { status, body } of own) {
      assert.equal(status, 422, JSON.stringify(events));
      assert.deepEqual(Object.keys(body), ['message']);
    }
  }
  assert.equal((await ask('POST', EMAIL, { target_url: address(), events: ' , ' })).status, 422);
  for (const path of [EMAIL, WEBHOOKS]) {
    const { status } = await ask('POST', path, { target_url: address() });
    assert.ok(status === 422 || status === 400, 'not given at all');
  }
  assert.deepEqual((await ask('GET', `${EMAIL}/${id}`)).body.events, [DELIVERED]);
  assert.deepEqual((await ask('PATCH', `${EMAIL}/${id}`, { events: [OPENED, OPENED] })).body.events, [OPENED]);
});

test('every base of the Email area serves the endpoints', async () => {
  for (const base of AREAS.email.bases) {
    const path = `${base.replace('{username}', customer.username)}/webhook_endpoints`;
    const made = await ask('POST', path, { target_url: address(), events: [DELIVERED] });
    assert.equal(made.status, 201, base);
    const one = `${path}/${made.body.id}`;
    assert.equal((await ask('GET', `${one}/`)).body.data.id, made.body.id, base);
    assert.equal((await ask('PATCH', one, { ordered: true })).body.ordered, true, base);
    assert.ok(
      (await ask('GET', path)).body.some((each: { id: number }) => each.id === made.body.id),
      base,
    );
    assert.equal((await ask('DELETE', one)).body.message, 'Webhook deleted!', base);
  }
});

test('outside the sandbox neither this machine nor the installation itself is an address for events', async (t) => {
  const env = { CAREPOST_DELIVERY: 'direct', CAREPOST_PUBLIC_URL: 'https://care.example.org' };
  const outside = await startApp(t, { env });
  const { key } = await outside.createCustomer();
  const post = (path: string, target_url: string) =>
    outside.request('POST', path, { key, body: { target_url, events: [DELIVERED] } });
  const inner = ['http://127.0.0.1:9/', 'https://127.0.0.1/', 'https://localhost:8443/', 'https://[::1]/'];
  for (const url of [...inner, 'https://care.example.org/hook', 'https://CARE.example.org:8443/hook']) {
    for (const path of [EMAIL, WEBHOOKS]) assert.equal((await post(path, url)).status, 422, url);
  }
  assert.equal((await post(WEBHOOKS, 'https://hooks.example.com/')).status, 201);
});
