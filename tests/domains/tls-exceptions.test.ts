import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { exceptionsOf } from '../../src/email/domains/tls-exceptions.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

const ask = ({ key }: TestCustomer, method: string, rest = '', body?: object) =>
  app.request(method, `/v1/email/tls_exceptions${rest}`, { key, ...(body && { body }) });

test('recipient domains are named, listed and taken back, each for one customer', async () => {
  const [customer, other] = [await app.createCustomer(), await app.createCustomer()];
  const { db } = app.installation;
  const named = (id: number) => db.tenant([id], (tx) => exceptionsOf(tx, id));
  const made = await ask(customer, 'POST', '', { domain: 'B.example' });
  assert.deepEqual([made.status, made.body.data.domain], [200, 'b.example']);
  assert.deepEqual((await ask(customer, 'POST', '', { domain: 'b.example' })).body, made.body);
  await ask(customer, 'POST', '', { domain: 'a.example' });
  assert.deepEqual(
    (await ask(customer, 'GET')).body.data.map(({ domain }: { domain: string }) => domain),
    ['a.example', 'b.example'],
  );
  assert.deepEqual([await named(customer.id), await named(other.id)], [new Set(['a.example', 'b.example']), new Set()]);
  assert.equal((await ask(other, 'DELETE', `/${made.body.data.id}`)).status, 403);
  assert.deepEqual((await ask(customer, 'DELETE', `/${made.body.data.id}`)).body, made.body);
  assert.equal((await ask(customer, 'DELETE', `/${made.body.data.id}`)).status, 404);
  assert.deepEqual(await named(customer.id), new Set(['a.example']));
  const { actions, details } = await asOwner(app, async (client) => {
    const { rows } = await client.query(
      `select action, details::text from audit_log where customer_id = $1 and action like 'tls-%' order by id`,
      [customer.id],
    );
    return { actions: rows.map(({ action }) => action), details: JSON.stringify(rows) };
  });
  assert.deepEqual(actions, ['tls-exception.created', 'tls-exception.created', 'tls-exception.deleted']);
  assert.ok(!details.includes('example'), 'whom a clinic writes to is not in the audit log');
});

test('there are at most 500, and each is a domain', async () => {
  const customer = await app.createCustomer();
  await asOwner(app, (client) =>
    client.query(
      `insert into tls_exceptions select gen_random_uuid(), $1, n || '.many.example', now() from generate_series(1, 499) n`,
      [customer.id],
    ),
  );
  assert.equal((await ask(customer, 'POST', '', { domain: 'last.example' })).status, 200);
  const full = await ask(customer, 'POST', '', { domain: 'more.example' });
  assert.deepEqual(
    [full.status, full.body.errors[0].details],
    [422, 'domain: a customer has at most 500 TLS exceptions'],
  );
  assert.equal((await ask(customer, 'POST', '', { domain: 'last.example' })).status, 200);
  for (const domain of ['', 'a@b.example', 'localhost', '*.example']) {
    const { status, body } = await ask(customer, 'POST', '', { domain });
    assert.deepEqual([status, body.errors[0].details], [400, 'domain: is not a domain name'], domain);
  }
});
