import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { findEndpoints } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/people-session.ts';

/** The free space below which the test app refuses writes. */
const LEAST = 2 ** 20;
const TITLE = 'Temporarily unavailable';
const REASON = 'The disk is nearly full';

const message = { recipients: ['patient@example.com'], headers: { from: 'clinic@example.org', subject: 'Results' } };

const WRITES = [
  {
    ask: (app: TestApp, { key }: TestCustomer, headers: Record<string, string> = {}) =>
      app.request('POST', '/v1/email/messages', { key, headers, body: { data: { message } } }),
    refusal: { errors: [{ code: 503, title: TITLE, details: REASON }] },
  },
  {
    ask: (app: TestApp, { key }: TestCustomer, headers: Record<string, string> = {}) =>
      app.request('POST', '/v1/marketing/subscribers', {
        key,
        headers,
        body: { subscriber: { email: 'a@example.com' } },
      }),
    refusal: { error: REASON, code: 'unavailable', details: {} },
  },
];

const READS = [
  (app: TestApp, { key }: TestCustomer) => app.request('GET', '/v1/email/sandbox/messages', { key }),
  (app: TestApp, { key, id }: TestCustomer) => app.request('GET', `/v1/forms/api/forms?customer_id=${id}`, { key }),
  (app: TestApp) => app.request('GET', '/healthz'),
  (app: TestApp) => app.request('GET', '/openapi.json'),
];

async function isAccepting(app: TestApp): Promise<boolean> {
  const { status, body } = await app.request('GET', '/readyz');
  assert.equal(status, 200);
  assert.equal(body.status, 'ready');
  return body.accepting;
}

async function rowsWritten(app: TestApp): Promise<number> {
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select (select count(*) from messages)::int + (select count(*) from subscribers)::int as n'),
  );
  return rows[0].n;
}

test('while the disk is nearly full, writes are put off and reads go on', async (t) => {
  const app = await startApp(t, { overrides: { freeBytes: async () => LEAST - 1 } });
  const customer = await app.createCustomer();
  assert.equal(await isAccepting(app), false);
  for (const { ask, refusal } of WRITES) {
    const reply = await ask(app, customer);
    assert.equal(reply.status, 503);
    assert.deepEqual(reply.body, refusal);
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  for (const read of READS) assert.equal((await read(app, customer)).status, 200);
  assert.equal(await rowsWritten(app), 0);
});

test('every operation but reading is put off, with a key, a session and without', async (t) => {
  const app = await startApp(t, { overrides: { freeBytes: async () => 0 } });
  const customer = await app.createCustomer();
  const owner = await signIn(app, customer, 'owner');
  const operator = await signIn(app, null, 'operator');
  const ask = (method: string, path: string) => {
    if (!path.startsWith('/app/api/')) return app.request(method, path, { key: customer.key, body: {} });
    const person = path.startsWith('/app/api/operator/') ? operator : owner;
    return person.request(method, path, { body: {} });
  };
  const writes = (await findEndpoints(app, customer)).filter(({ method }) => method !== 'GET');
  for (const { method, path } of writes) {
    const { status, headers } = await ask(method, path);
    assert.equal(status, 503, `${method} ${path}`);
    assert.ok(headers.has('retry-after'), `${method} ${path}`);
  }
});

test('the least free space is enough', async (t) => {
  const app = await startApp(t, { overrides: { freeBytes: async () => LEAST } });
  const customer = await app.createCustomer();
  assert.equal(await isAccepting(app), true);
  for (const { ask } of WRITES) assert.equal((await ask(app, customer)).status, 200);
});

test('writing stops and resumes by itself as the disk fills and empties', async (t) => {
  let free = 10 * LEAST;
  const app = await startApp(t, { overrides: { freeBytes: async () => free } });
  const customer = await app.createCustomer();
  const statuses = async () => Promise.all(WRITES.map(async ({ ask }) => (await ask(app, customer)).status));
  assert.deepEqual(await statuses(), [200, 200]);
  free = 0;
  await eventually(async () => !(await isAccepting(app)));
  assert.deepEqual(await statuses(), [503, 503]);
  free = LEAST;
  await eventually(() => isAccepting(app));
  assert.deepEqual(await statuses(), [200, 200]);
});

test('a disk that cannot be looked at leaves things as they were', async (t) => {
  let looks = 0;
  const freeBytes = async () => {
    looks += 1;
    if (looks > 1) throw new Error('the disk does not answer');
    return 0;
  };
  const app = await startApp(t, { overrides: { freeBytes } });
  const customer = await app.createCustomer();
  await eventually(async () => looks > 2);
  assert.equal(await isAccepting(app), false);
  for (const { ask } of WRITES) assert.equal((await ask(app, customer)).status, 503);
});

test('a write that was put off is not remembered under its Idempotency-Key', async (t) => {
  let free = 0;
  const app = await startApp(t, { overrides: { freeBytes: async () => free } });
  const customer = await app.createCustomer();
  const headers = { 'idempotency-key': 'order-1' };
  for (const { ask } of WRITES) assert.equal((await ask(app, customer, headers)).status, 503);
  free = LEAST;
  await eventually(() => isAccepting(app));
  for (const { ask } of WRITES) {
    const reply = await ask(app, customer, headers);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('idempotency-replayed'), null);
  }
});

test('a caller without a key is not told about the disk', async (t) => {
  const app = await startApp(t, { overrides: { freeBytes: async () => 0 } });
  const customer = await app.createCustomer();
  for (const { ask } of WRITES) assert.equal((await ask(app, { ...customer, key: 'none' })).status, 401);
});
