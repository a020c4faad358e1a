import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { assertRefused, callsOf } from './calls.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const count = (body: object) => callsOf(app, customer).call('POST', '/dynamic_lists/count', body);

test('whom a rule finds is told before it is saved, with a few of them and in both forms', async () => {
  const { addPerson, call } = callsOf(app, customer);
  for (let n = 1; n <= 7; n += 1) {
    await addPerson({ email: `p${n}@example.org`, first_name: `P${n}`, custom_fields: [{ age: String(30 + n) }] });
  }
  const filters = [[{ field: 'age', op: 'more_than', terms: ['31'] }]];
  const rule = 'age is more than 31';
  for (const body of [{ filters }, { rule }, { dynamic_list: { rule, name: 'Any' } }]) {
    const { status, body: reply } = await count(body);
    assert.equal(status, 200);
    const { sample, ...told } = reply.data;
    assert.deepEqual(told, { count: 6, complete: true, filters, rule });
    assert.deepEqual(
      sample.map(({ email, full_name: name }: Record<string, string>) => [email, name]),
      [7, 6, 5, 4, 3].map((n) => [`p${n}@example.org`, `P${n}`]),
    );
    assert.equal((await call('GET', `/subscribers/${sample[0].id}`)).status, 200);
  }
  const nobody = await count({ rule: 'first_name is "Zoe"' });
  assert.deepEqual([nobody.body.data.count, nobody.body.data.sample], [0, []]);
  assert.deepEqual((await call('GET', '/dynamic_lists')).body, { data: [] });
});

test('a rule that makes no sense is refused, and nothing at all is not everybody', async () => {
  assertRefused(await count({}), 400, 'filters');
  assertRefused(await count({ name: 'Only a name' }), 400, 'filters');
  assertRefused(await count({ rule: 'age is' }), 400, 'rule', /^at character 7/);
});

test('many people are counted to the last', async () => {
  const crowd = await app.createCustomer();
  await asOwner(app, (client) =>
    client.query(
      `insert into subscribers (id, customer_id, email, first_name, created_at, updated_at)
       select gen_random_uuid(), $1, n || '@example.org', 'n' || n % 4, now(), now() from generate_series(1, 45000) n`,
      [crowd.id],
    ),
  );
  const { body } = await callsOf(app, crowd).call('POST', '/dynamic_lists/count', { rule: 'first_name is "n1"' });
  assert.deepEqual([body.data.count, body.data.complete, body.data.sample.length], [11_250, true, 5]);
});
