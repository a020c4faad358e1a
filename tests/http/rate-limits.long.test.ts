import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Installation } from '../../src/installation.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createRateLimits } from '../../src/platform/http/limits/rate-limits.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';

const FIVE_A_MINUTE = { CAREPOST_LIMITS: 'key=5/60s,free-disk=1MB' };
const THREE_FOR_STRANGERS = { CAREPOST_LIMITS: 'network=3/60s,free-disk=1MB' };

const message = { recipients: ['patient@example.com'], headers: { from: 'clinic@example.org', subject: 'Results' } };

function listForms(app: TestApp, { key, id }: TestCustomer): Promise<Reply> {
  return app.request('GET', `/v1/forms/api/forms?customer_id=${id}`, { key });
}

/** One route of each area, with its refusal of one request too many. */
const ROUTES = [
  {
    ask: (app: TestApp, { key }: TestCustomer) =>
      app.request('POST', '/v1/email/messages', { key, body: { data: { message } } }),
    refusal: { errors: [{ code: 429, title: 'Too many requests', details: 'Too many requests' }] },
  },
  {
    ask: listForms,
    refusal: {
      message: 'Too many requests',
      detail: 'Too many requests',
      error: 'Too many requests',
      errors: [{ code: 429, title: 'Too many requests', details: 'Too many requests' }],
    },
  },
  {
    ask: (app: TestApp, { key }: TestCustomer) =>
      app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber: { email: 'ann@example.com' } } }),
    refusal: { error: 'Too many requests', code: 'rate_limited', details: {} },
  },
  {
    ask: (app: TestApp, { key }: TestCustomer) => app.request('GET', '/v1/webhooks/endpoints', { key }),
    refusal: { message: 'Too many requests' },
  },
];

/** A clock that stands at the start of a minute, so that windows begin and end where the test says. */
function clockAtMinute() {
  const now = Date.now();
  return createMovableClock(new Date(now - (now % 60_000)));
}

function limitsOf({ headers }: Reply): { limit: number; remaining: number; reset: number } {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
  for (const value of [limit, remaining, reset]) assert.match(value ?? 'missing', /^\d+$/);
  return { limit: Number(limit), remaining: Number(remaining), reset: Number(reset) };
}

async function exhaust(app: TestApp, customer: TestCustomer, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) assert.equal((await listForms(app, customer)).status, 200);
}

/** A call without a key, as if through proxies where addresses are given. */
function askAsStranger(app: TestApp, forwardedFor?: string): Promise<Reply> {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return app.request('GET', '/v1/email/sandbox/messages', { headers });
}

async function countedInDatabase(app: TestApp, subject: string): Promise<number> {
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select coalesce(sum(count), 0)::int as n from rate_counts where subject = $1', [subject]),
  );
  return rows[0].n;
}

const A_MINUTE = { count: 5, windowSeconds: 60 };

async function settledCounts({ ownerUrl }: Installation): Promise<{ callers: number; requests: number }> {
  const { rows } = await withConnection(ownerUrl, (client) =>
    client.query('select count(*)::int as callers, sum(count)::int as requests from rate_counts'),
  );
  return rows[0];
}

test('every limited route tells the limit, what is left and when the window ends', async (t) => {
  const clock = clockAtMinute();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  clock.advance(20_000);
  for (const [index, { ask }] of ROUTES.entries()) {
    const reply = await ask(app, customer);
    assert.equal(reply.status, 200);
    assert.deepEqual(limitsOf(reply), { limit: 600_000, remaining: 600_000 - index - 1, reset: 40 });
  }
  const { body } = await app.request('GET', '/openapi.json');
  const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'x') })),
  );
  assert.ok(operations.length >= ROUTES.length);
  const areas = ['/v1/email', '/v1/forms', '/v1/marketing', '/v1/email/status'].map((path) => ({
    method: 'GET',
    path,
  }));
  const wrongMethods = operations.map(({ path }) => ({ method: 'DELETE', path }));
  for (const { method, path } of [...operations, ...areas, ...wrongMethods]) {
    assert.equal(limitsOf(await app.request(method, path)).limit, 60_000, `${method} ${path}`);
  }
});

test('the limit is reached by its last request and not before, and the next one is refused in each area', async (t) => {
  const clock = clockAtMinute();
  const app = await startApp(t, { clock, env: FIVE_A_MINUTE });
  clock.advance(15_500);
  for (const { ask, refusal } of ROUTES) {
    const customer = await app.createCustomer();
    for (let number = 1; number <= 5; number += 1) {
      const reply = await ask(app, customer);
      assert.equal(reply.status, 200);
      assert.deepEqual(limitsOf(reply), { limit: 5, remaining: 5 - number, reset: 45 });
      assert.equal(reply.headers.get('retry-after'), null);
    }
    for (let number = 6; number <= 7; number += 1) {
      const refused = await ask(app, customer);
      assert.equal(refused.status, 429);
      assert.deepEqual(refused.body, refusal);
      assert.equal(refused.headers.get('retry-after'), '45');
      assert.deepEqual(limitsOf(refused), { limit: 5, remaining: 0, reset: 45 });
    }
  }
});

test('each key has a count of its own, shared by the areas', async (t) => {
  const app = await startApp(t, { clock: clockAtMinute(), env: FIVE_A_MINUTE });
  const customer = await app.createCustomer();
  const second = await app.createKey(customer, ['email', 'forms', 'marketing']);
  await exhaust(app, customer, 5);
  for (const { ask } of ROUTES) assert.equal((await ask(app, customer)).status, 429);
  for (const { ask } of ROUTES) assert.equal((await ask(app, { ...customer, key: second.key })).status, 200);
});

test('a refused request changes nothing', async (t) => {
  const app = await startApp(t, { clock: clockAtMinute(), env: FIVE_A_MINUTE });
  const customer = await app.createCustomer();
  await exhaust(app, customer, 5);
  for (const { ask } of ROUTES) assert.equal((await ask(app, customer)).status, 429);
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select (select count(*) from messages)::int + (select count(*) from subscribers)::int as n'),
  );
  assert.equal(rows[0].n, 0);
});

test('the next window begins when the headers said', async (t) => {
  const clock = clockAtMinute();
  const app = await startApp(t, { clock, env: FIVE_A_MINUTE });
  const customer = await app.createCustomer();
  clock.advance(10_000);
  await exhaust(app, customer, 5);
  const refused = await listForms(app, customer);
  assert.equal(refused.headers.get('retry-after'), '50');
  clock.advance(49_999);
  const late = await listForms(app, customer);
  assert.equal(late.status, 429);
  assert.equal(late.headers.get('retry-after'), '1', 'never zero, however little is left');
  clock.advance(1);
  const anew = await listForms(app, customer);
  assert.equal(anew.status, 200);
  assert.deepEqual(limitsOf(anew), { limit: 5, remaining: 4, reset: 60 });
});

test('a restart forgives nothing', async (t) => {
  const clock = clockAtMinute();
  const app = await startApp(t, { clock, env: FIVE_A_MINUTE });
  const [spent, half] = [await app.createCustomer(), await app.createCustomer()];
  await exhaust(app, spent, 5);
  await exhaust(app, half, 3);
  await app.stop();
  const successor = await startApp(t, { clock, env: FIVE_A_MINUTE, beside: app });
  assert.equal((await listForms(successor, spent)).status, 429);
  assert.deepEqual(limitsOf(await listForms(successor, half)), { limit: 5, remaining: 1, reset: 60 });
  clock.advance(60_000);
  assert.equal((await listForms(successor, spent)).status, 200);
});

test('nodes share a count once they have settled', async (t) => {
  const clock = clockAtMinute();
  const env = { CAREPOST_LIMITS: 'key=20/60s,free-disk=1MB' };
  const app = await startApp(t, { clock, env });
  const other = await startApp(t, { clock, env, beside: app });
  const customer = await app.createCustomer();
  await exhaust(app, customer, 19);
  await exhaust(other, customer, 1);
  await eventually(async () => (await countedInDatabase(app, customer.keyId)) === 20);
  await eventually(async () => {
    const { status, headers } = await listForms(other, customer);
    const asked = await countedInDatabase(app, customer.keyId);
    await eventually(async () => (await countedInDatabase(app, customer.keyId)) > asked);
    return status === 429 && headers.get('ratelimit-remaining') === '0';
  });
  assert.ok((await countedInDatabase(app, customer.keyId)) <= 22, 'the second node knew long before its own twenty');
});

test('a request that comes while the count is being settled is counted once', async (t) => {
  const { installation } = await startApp(t, { clock: clockAtMinute() });
  const rateLimits = createRateLimits(installation);
  rateLimits.take('caller', A_MINUTE);
  const settling = rateLimits.settle();
  rateLimits.take('caller', A_MINUTE);
  await settling;
  await rateLimits.settle();
  assert.deepEqual(await settledCounts(installation), { callers: 1, requests: 2 });
  assert.equal(rateLimits.take('caller', A_MINUTE).remaining, 2);
});

test('what is given back is not counted, settled or not', async (t) => {
  const { installation } = await startApp(t, { clock: clockAtMinute() });
  const rateLimits = createRateLimits(installation);
  rateLimits.take('caller', A_MINUTE);
  rateLimits.take('caller', A_MINUTE);
  rateLimits.giveBack('caller', A_MINUTE);
  await rateLimits.settle();
  rateLimits.giveBack('caller', A_MINUTE);
  await rateLimits.settle();
  assert.deepEqual(await settledCounts(installation), { callers: 1, requests: 0 });
  assert.equal(rateLimits.take('caller', A_MINUTE).remaining, A_MINUTE.count - 1);
});

test('the callers of a flood are settled, however many they are', async (t) => {
  const { installation } = await startApp(t, { clock: clockAtMinute() });
  const rateLimits = createRateLimits(installation);
  for (let caller = 0; caller < 25_000; caller += 1) rateLimits.take(`caller ${caller}`, A_MINUTE);
  await rateLimits.settle();
  assert.deepEqual(await settledCounts(installation), { callers: 25_000, requests: 25_000 });
});

test('calls without a valid key count together per network, and leave those with a key alone', async (t) => {
  const app = await startApp(t, { clock: clockAtMinute(), env: THREE_FOR_STRANGERS });
  const customer = await app.createCustomer();
  const { key } = await app.createKey(customer, ['forms']);
  assert.deepEqual(limitsOf(await askAsStranger(app)), { limit: 3, remaining: 2, reset: 60 });
  const unknown = await app.request('GET', `/api/forms?customer_id=${customer.id}`, { key: 'cp_live_nonsense' });
  assert.equal(unknown.status, 401);
  assert.equal(limitsOf(unknown).remaining, 1);
  assert.equal((await app.request('GET', '/v1/marketing')).status, 200, 'the status of an area counts too');
  const refused = await askAsStranger(app);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.equal((await listForms(app, customer)).status, 200);
  assert.equal((await app.request('GET', '/v1/email/sandbox/messages', { key })).status, 401, 'a key of wrong scope');
});

test('the address of a network is not stored', async (t) => {
  const env = { ...THREE_FOR_STRANGERS, CAREPOST_TRUSTED_PROXIES: '127.0.0.1' };
  const app = await startApp(t, { clock: clockAtMinute(), env });
  await askAsStranger(app, '203.0.113.7');
  await app.stop();
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select r::text as text from rate_counts r'),
  );
  assert.equal(rows.length, 1);
  assert.doesNotMatch(rows[0].text, /203\.0\.113\.7|127\.0\.0\.1/);
});

test('X-Forwarded-For is ignored unless it comes from a proxy that is trusted', async (t) => {
  for (const proxies of ['', '192.0.2.1,198.51.100.0/24']) {
    const env = { ...THREE_FOR_STRANGERS, CAREPOST_TRUSTED_PROXIES: proxies };
    const app = await startApp(t, { clock: clockAtMinute(), env });
    const statuses: number[] = [];
    for (const last of [1, 2, 3, 4]) statuses.push((await askAsStranger(app, `203.0.113.${last}`)).status);
    assert.deepEqual(statuses, [401, 401, 401, 429], `trusting '${proxies}'`);
  }
});

test('behind a trusted proxy the client counts, and what it claims of itself does not', async (t) => {
  const env = { ...THREE_FOR_STRANGERS, CAREPOST_TRUSTED_PROXIES: '127.0.0.1,198.51.100.0/24' };
  const app = await startApp(t, { clock: clockAtMinute(), env });
  for (const client of ['203.0.113.1', '203.0.113.2', '2001:db8::1']) {
    for (const time of [1, 2, 3]) {
      assert.equal((await askAsStranger(app, `10.0.0.${time}, ${client}, 198.51.100.9`)).status, 401);
    }
    assert.equal((await askAsStranger(app, `10.0.0.4, ${client}`)).status, 429);
    assert.equal((await askAsStranger(app, client)).status, 429);
  }
  assert.equal((await askAsStranger(app, '10.0.0.1')).status, 401);
});

test('the addresses of one IPv6 network count together', async (t) => {
  const env = { ...THREE_FOR_STRANGERS, CAREPOST_TRUSTED_PROXIES: '127.0.0.1' };
  const app = await startApp(t, { clock: clockAtMinute(), env });
  for (const client of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:0::192.0.2.1']) {
    assert.equal((await askAsStranger(app, client)).status, 401);
  }
  assert.equal((await askAsStranger(app, '2001:0db8:0001:0002::7')).status, 429);
  assert.equal((await askAsStranger(app, '2001:db8:1:3::1')).status, 401, 'the next network has its own count');
  for (const client of ['203.0.113.1', '::ffff:203.0.113.1', '203.0.113.1']) {
    assert.equal((await askAsStranger(app, client)).status, 401);
  }
  assert.equal((await askAsStranger(app, '::ffff:203.0.113.1')).status, 429);
  assert.equal((await askAsStranger(app, '::ffff:203.0.113.2')).status, 401);
});
