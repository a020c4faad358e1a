import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { createCustomer } from '../../src/accounts/index.ts';
import { type Reply, type RequestOptions, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { AREAS, findEndpoints } from '../support/endpoints.ts';

type AreaName = keyof typeof AREAS;

const RESERVED = `email forms marketing orca webhooks messages bulk_messages templated_messages message_receipt
  dynamic_templates webhook_endpoints schedule receiving status events sandbox message_log settings`.split(/\s+/);

const MESSAGE = {
  recipients: ['ann@example.com'],
  headers: { from: 'clinic@example.org', subject: 'Your results' },
  content: { 'text/plain': 'Here.' },
};

/** One operation of each area, that a customer may carry out. */
const OPERATIONS: Record<AreaName, (customer: TestCustomer) => [method: string, path: string, body?: unknown]> = {
  email: () => ['POST', '/messages', { data: { message: MESSAGE } }],
  webhooks: () => ['GET', '/endpoints'],
  forms: ({ id }) => ['GET', `/api/forms?customer_id=${id}`],
  marketing: () => ['POST', '/subscribers', { subscriber: { email: 'ann@example.com' } }],
};

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const areas = Object.entries(AREAS) as [AreaName, (typeof AREAS)[AreaName]][];
const bases = areas.flatMap(([area, each]) => each.bases.map((base) => ({ area, base, errorKeys: each.errorKeys })));
const withUsername = (base: string, username = customer.username) => base.replace('{username}', username);

function carryOut({ area, base }: { area: AreaName; base: string }, distort = (path: string) => path): Promise<Reply> {
  const [method, path, body] = OPERATIONS[area](customer);
  const [address = '', query] = path.split('?');
  const distorted = distort(withUsername(base) + address) + (query === undefined ? '' : `?${query}`);
  return app.request(method, distorted, { key: customer.key, body });
}

function assertRefused(reply: Reply, status: number, errorKeys: string[], what: string): void {
  assert.equal(reply.status, status, what);
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/, what);
  assert.deepEqual(Object.keys(reply.body), errorKeys, what);
}

test('every base of an area serves its operations', async () => {
  for (const each of bases) assert.equal((await carryOut(each)).status, 200, each.base);
});

test('duplicate slashes are one slash, and a slash at the end is none', async () => {
  const distortions = [
    (path: string) => path.replaceAll('/', '//'),
    (path: string) => `/${path}`,
    (path: string) => `${path}/`,
    (path: string) => `${path.replaceAll('/', '///')}//`,
  ];
  for (const each of bases)
    for (const distort of distortions) assert.equal((await carryOut(each, distort)).status, 200, distort(each.base));
});

test('a base and its status answer 200 without a key, the same for every username', async () => {
  for (const { base } of bases.filter((each) => each.base !== '')) {
    const bodies = new Set<string>();
    const ignored: Record<string, string>[] = [{}, { authorization: 'Bearer nonsense' }, { 'content-type': 'x/y' }];
    for (const username of [customer.username, 'nobody', 'a', 'NO-ONE', '%20', 'x'.repeat(200)]) {
      const address = withUsername(base, username);
      for (const path of [address, `${address}/`, `${address}/status`, `${address}/status/`, `/${address}//status`]) {
        for (const headers of ignored) {
          const reply = await app.request('GET', path, { headers });
          assert.equal(reply.status, 200, path);
          assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/);
          assert.deepEqual(Object.keys(reply.body), ['service', 'status']);
          bodies.add(reply.text);
        }
      }
    }
    assert.equal(bodies.size, 1, `${base} tells nothing`);
  }
});

/** What stands under a reserved word, where it is not 404: an operation that wants another method or a key. */
const UNDER: Record<string, { posted?: number; status?: number; bare?: number }> = {
  sandbox: { posted: 405 },
  schedule: { posted: 405, status: 401 },
  message_log: { posted: 405, status: 401, bare: 401 },
  dynamic_templates: { posted: 405, status: 401, bare: 401 },
  webhook_endpoints: { posted: 405, status: 401, bare: 401 },
  message_receipt: { bare: 401 },
  events: { bare: 401 },
  settings: { bare: 401 },
  receiving: { posted: 501, status: 501, bare: 501 },
};

test('a reserved word is never a username', async () => {
  const body = { data: { message: MESSAGE } };
  for (const word of RESERVED) {
    const { errorKeys } = AREAS[word === 'orca' ? 'marketing' : word in AREAS ? (word as AreaName) : 'email'];
    const { posted = 404, status = 404, bare = 404 } = UNDER[word] ?? {};
    if (word !== 'email') {
      for (const method of posted === 404 ? ['POST', 'DELETE'] : ['POST']) {
        const reply = await app.request(method, `/v1/${word}/messages`, { key: customer.key, body });
        assertRefused(reply, posted, errorKeys, `${method} /v1/${word}/messages`);
      }
    }
    if (!(word in AREAS)) assert.equal((await app.request('GET', `/v1/${word}/status`)).status, status, word);
    if (!(word in AREAS) && word !== 'status')
      assert.equal((await app.request('GET', `/v1/${word}`)).status, bare, word);
    const wanted = { name: 'Clinic', username: word };
    await assert.rejects(createCustomer(app.installation, { kind: 'cli', id: 'test' }, wanted), /is reserved/);
  }
  assert.equal((await app.request('GET', '/v1/status')).status, 200);
});

test('inbound mail is 501 wherever it could stand, with a key and without', async () => {
  for (const base of AREAS.email.bases) {
    for (const rest of ['/receiving', '/receiving/', '/receiving/emails', '/receiving/emails/7/attachments?a=1']) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        for (const options of [{}, { key: customer.key }, method === 'GET' ? {} : { key: 'nonsense', raw: '{' }]) {
          const path = withUsername(base) + rest;
          const reply = await app.request(method, path, options);
          assertRefused(reply, 501, ['errors'], `${method} ${path}`);
          const [{ code, title, details }] = reply.body.errors;
          assert.equal(code, 501);
          for (const text of [title, details]) assert.ok(typeof text === 'string' && text !== '');
        }
      }
    }
  }
});

test('GET /messages is 404, with a key and without', async () => {
  for (const base of AREAS.email.bases) {
    for (const options of [{}, { key: customer.key }, { key: 'nonsense' }]) {
      const path = `${withUsername(base)}/messages`;
      assertRefused(await app.request('GET', path, options), 404, ['errors'], path);
    }
  }
});

test('another method on a known address is 405 and names those that it has; nothing to read is 404', async () => {
  const addresses = new Map((await findEndpoints(app, customer)).map((each) => [each.path, each]));
  for (const { path, areaErrorKeys: errorKeys, methods } of addresses.values()) {
    if (!methods.includes('GET')) assertRefused(await app.request('GET', path), 404, errorKeys, `GET ${path}`);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methods.includes(each))) {
      for (const options of [{}, { key: customer.key, body: { data: {} } }]) {
        const reply = await app.request(method, path, options);
        assertRefused(reply, 405, errorKeys, `${method} ${path}`);
        assert.deepEqual(reply.headers.get('allow')?.split(', ').toSorted(), methods.toSorted());
      }
    }
  }
});

test('letters that are percent-encoded without need make no other address of it', async () => {
  const known = await app.request('DELETE', `/api/%66orms?customer_id=${customer.id}`, { key: customer.key });
  assertRefused(known, 405, AREAS.forms.errorKeys, 'DELETE /api/%66orms');
  const csv = await app.request('PATCH', `/api/forms/${randomUUID()}/submissions/%64eidentified-csv`);
  assert.deepEqual([csv.status, csv.headers.get('allow')], [405, 'GET']);
  assertRefused(
    await app.request('DELETE', '/v1/%66orms/messages'),
    404,
    AREAS.forms.errorKeys,
    '/v1/%66orms/messages',
  );
  for (const path of ['/app/api/agreement/sign', '/app//api/agreement/sign', '/%61pp/api/agreement/sign']) {
    const { status, headers } = await app.request('GET', path);
    assert.deepEqual([status, headers.get('content-type')?.split(';')[0]], [404, 'application/json'], path);
  }
});

test("another customer's username, or nobody's, is 401", async () => {
  const stranger = await app.createCustomer();
  for (const { area, base, errorKeys } of bases.filter(({ base: address }) => address.includes('{'))) {
    const [method, path, body] = OPERATIONS[area](customer);
    for (const username of [stranger.username, 'nobody', customer.username.toUpperCase(), `${customer.username}x`]) {
      const reply = await app.request(method, withUsername(base, username) + path, { key: customer.key, body });
      assertRefused(reply, 401, errorKeys, `${base} ${username}`);
    }
  }
});

test('an unknown address is 404 in the error body of the area it belongs to', async () => {
  const rests = ['/nothing/at/all', '/nothing/x?a=/v1/forms/', '//nothing//x//', '/messages/x', '/status/x'];
  for (const { base, errorKeys } of bases.filter((each) => each.base !== '')) {
    // Under /v1 a single word is somebody's base.
    for (const rest of base === '/v1' ? rests : ['/nothing', '/nothing?a=1', ...rests]) {
      const path = withUsername(base) + rest;
      for (const method of ['GET', 'POST', 'DELETE'])
        assertRefused(await app.request(method, path, { key: customer.key }), 404, errorKeys, `${method} ${path}`);
    }
    for (const path of [withUsername(base), `${withUsername(base)}/status`, `${withUsername(base)}?a=1`])
      assertRefused(await app.request('POST', path, { body: {} }), 404, errorKeys, `POST ${path}`);
    const typed = { headers: { 'content-type': 'application/json' } };
    const unread = await app.request('DELETE', `${withUsername(base)}/nothing/x`, typed);
    assertRefused(unread, 404, errorKeys, `DELETE ${base}/nothing/x without the body that its type announces`);
  }
  for (const path of [`/api/forms/${randomUUID()}/nothing`, '/api/forms/x/y/z', '/public/form_data/x/y']) {
    assertRefused(await app.request('GET', path), 404, AREAS.forms.errorKeys, path);
  }
  for (const path of ['/nothing', '/v2/email/messages', '/V1/email/messages', '/emailapi', '/favicon.ico', '/.env']) {
    const { status, body } = await app.request('GET', path);
    assert.equal(status, 404, path);
    assert.equal(typeof body, 'object', path);
  }
});

test('monitors may ask by HEAD whether the product lives', async () => {
  for (const path of ['/healthz', '/readyz', '/app']) {
    const [asked, shown] = [await app.request('HEAD', path), await app.request('GET', path)];
    assert.deepEqual([asked.status, asked.text, shown.status], [200, '', 200], path);
    assert.equal(asked.headers.get('content-type'), shown.headers.get('content-type'), path);
  }
  const { status, headers } = await app.request('HEAD', '/v1/forms/api/forms');
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, POST'], 'what is read with a key is read by GET');
});

test('every reply carries a request id of its own', async () => {
  const { key } = customer;
  const asked: [method: string, path: string, options?: RequestOptions][] = [
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['GET', '/openapi.json'],
    ['GET', '/docs/'],
    ['GET', '/v1'],
    ['GET', '/nothing'],
    ['OPTIONS', '/v1/email/messages'],
    ['GET', '/v1/email/messages'],
    ['PUT', '/v1/email/messages'],
    ['POST', '/v1/email/messages', { key, body: { data: { message: MESSAGE } } }],
    ['POST', '/v1/email/messages', { key, body: {} }],
    ['POST', '/v1/email/messages', { key, body: {}, headers: { 'content-encoding': 'gzip' } }],
    ['POST', '/v1/email/messages', { body: {} }],
    ['GET', '/v1/email/receiving/x', { key }],
    ['GET', '/v1/webhooks/endpoints', { key }],
    ['POST', '/v1/webhooks/endpoints', { key, body: {} }],
    ['GET', '/t/nothing'],
    ['GET', '/v1/forms/api/forms', { key }],
    ['GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key }],
    ['POST', '/v1/marketing/subscribers', { key, raw: '{' }],
  ];
  const seen = new Set<string>();
  for (const [method, path, options] of asked) {
    const id = (await app.request(method, path, options)).headers.get('x-request-id') ?? '';
    assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, `${method} ${path}`);
    seen.add(id);
  }
  assert.equal(seen.size, asked.length);
});
