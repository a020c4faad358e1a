import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';

import { asOwner } from '../support/owner.ts';
import { assertRefused, type Calls, callsOf, EVERYBODY } from './calls.ts';

let app: TestApp;
let customer: TestCustomer;
let call: Calls['call'];
let create: Calls['create'];
let addPerson: Calls['addPerson'];
before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  ({ call, create, addPerson } = callsOf(app, customer));
});

const one = (field: string, op: string, terms?: unknown) => [[{ field, op, terms }]];
const many = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** Filters that are refused, where and why. */
const REFUSED: [unknown, string, RegExp][] = [
  [7, 'filters', /list of lists/],
  ['{', 'filters', /JSON/],
  ['"x"', 'filters', /list of lists/],
  [[], 'filters', /required/],
  [null, 'filters', /required/],
  [[[]], 'filters[0]', /1 to 20/],
  [[{ field: 'email' }], 'filters[0]', /1 to 20/],
  [[[7]], 'filters[0][0]', /object/],
  [one('', 'is', 'x'), 'filters[0][0].field', /text/],
  [[[{ field: 'email', terms: 'x' }]], 'filters[0][0].op', /text/],
  [one('email', 'is', [['x']]), 'filters[0][0].terms', /texts, numbers/],
  [one('email', 'is', {}), 'filters[0][0].terms', /texts, numbers/],
  [one('nothing', 'is', 'x'), 'filters[0][0].field', /names no field/],
  [one('constructor', 'is', 'x'), 'filters[0][0].field', /names no field/],
  [one('custom_fields.email', 'is', 'x'), 'filters[0][0].field', /names no field/],
  [one('email', 'resembles', 'x'), 'filters[0][0].op', /takes is, is_not/],
  [one('email', 'toString', 'x'), 'filters[0][0].op', /takes is, is_not/],
  [one('unsubscribed', 'contains', 'x'), 'filters[0][0].op', /takes is, is_not/],
  [one('unsubscribed', 'is', 'x'), 'filters[0][0].terms', /yes or no/],
  [one('email', 'is'), 'filters[0][0].terms', /required/],
  [one('email', 'is', ''), 'filters[0][0].terms', /is_empty/],
  [one('email', 'is', 'x'.repeat(1_001)), 'filters[0][0].terms', /1000 characters/],
  [one('email', 'is', many(101)), 'filters[0][0].terms', /at most 100/],
  [one('email', 'more_than', 'x'), 'filters[0][0].terms', /number/],
  [one('email', 'more_than', [1, 2]), 'filters[0][0].terms', /one/],
  [one('email', 'between', [1]), 'filters[0][0].terms', /two/],
  [one('email', 'between', [1, '2020-01-01']), 'filters[0][0].terms', /two numbers or two dates/],
  [one('created_at', 'before', '2020-02-30'), 'filters[0][0].terms', /date/],
  [one('created_at', 'before', '0000-01-01'), 'filters[0][0].terms', /date/],
  [one('created_at', 'in_last_days', 0), 'filters[0][0].terms', /1 to 3660/],
  [one('created_at', 'in_last_days', 1.5), 'filters[0][0].terms', /1 to 3660/],
  [one('created_at', 'anniversary_in_days', 367), 'filters[0][0].terms', /1 to 366/],
  [one('opened', 'in_last_days', ['any']), 'filters[0][0].terms', /1 to 3660/],
  [Array.from({ length: 21 }, () => EVERYBODY[0]), 'filters', /20 groups/],
  [[Array.from({ length: 21 }, () => EVERYBODY[0]?.[0])], 'filters[0]', /1 to 20/],
  [[Array.from({ length: 11 }, () => ({ field: 'email', op: 'is', terms: many(100) }))], 'filters', /1000 terms/],
  [
    [Array.from({ length: 2 }, () => ({ field: 'email', op: 'is', terms: many(60).map(() => 'x'.repeat(500)) }))],
    'filters',
    /50000/,
  ],
];

test('filters that make no sense are refused, with where and why', async () => {
  for (const [filters, field, rule] of REFUSED) {
    const reply = await call('POST', '/dynamic_lists', { name: 'No', filters });
    assertRefused(reply, 400, field, rule);
  }
  assertRefused(
    await call('POST', '/dynamic_lists', { name: 'No', filters: '[[{"field":"a\\u0000","op":"is"}]]' }),
    400,
  );
  assertRefused(await call('POST', '/dynamic_lists', { filters: EVERYBODY }), 400, 'name');
  assertRefused(await call('POST', '/dynamic_lists', { name: ' ', filters: EVERYBODY }), 400, 'name');
  assertRefused(await call('POST', '/dynamic_lists', { name: 'x'.repeat(201), filters: EVERYBODY }), 400, 'name');
  const both = { name: 'No', filters: EVERYBODY, rule: 'email is "x"' };
  assertRefused(await call('POST', '/dynamic_lists', both), 400, 'rule', /something else/);
  const unknown = { name: 'No', rule: 'email is "x" or nothing is 7' };
  assertRefused(await call('POST', '/dynamic_lists', unknown), 400, 'rule', /^at character 17: field names no field/);
  assert.deepEqual((await call('GET', '/dynamic_lists')).body, { data: [] });
});

test('health data cannot be filtered on', async () => {
  await addPerson({ email: 'ann@example.org', custom_fields: [{ diagnosis: 'x' }] });
  await asOwner(app, (client) =>
    client.query(`update custom_field_types set class = 'phi' where customer_id = $1`, [customer.id]),
  );
  const filters = one('diagnosis', 'is_not_empty');
  assertRefused(
    await call('POST', '/dynamic_lists', { name: 'No', filters }),
    400,
    'filters[0][0].field',
    /health data/,
  );
  const ruled = { name: 'No', rule: 'diagnosis is "x"' };
  assertRefused(await call('POST', '/dynamic_lists', ruled), 400, 'rule', /^at character 1: field is health data/);
});

async function addListAndMailing({ id }: TestCustomer): Promise<{ list: string; mailing: string }> {
  return asOwner(app, async (client) => {
    const list = await client.query(
      `insert into subscription_lists (customer_id, name, created_at, updated_at) values ($1, 'L', now(), now()) returning id`,
      [id],
    );
    const mailing = await client.query(
      `insert into campaign_mailings (customer_id, subject, template_type, version, created_at, updated_at)
       values ($1, 'M', 'html', 1, now(), now()) returning id`,
      [id],
    );
    return { list: String(list.rows[0].id), mailing: String(mailing.rows[0].id) };
  });
}

test("lists and mailings in filters are the customer's own: another's is 403, an unknown one 404", async () => {
  const [own, foreign] = [await addListAndMailing(customer), await addListAndMailing(await app.createCustomer())];
  const { id } = await create({ name: 'Own', rule: `on list ${own.list} and not opened mailing ${own.mailing}` });
  const filtersOf = ({ list, mailing }: typeof own) => [
    one('list', 'is', list),
    one('subscription_list_id', 'in', [own.list, list]),
    one('opened', 'is_not', mailing),
    one('clicked', 'in_last_days', [7, own.mailing, mailing]),
  ];
  for (const [status, ids] of [
    [403, foreign],
    [404, { list: '99999999', mailing: '99999999' }],
    [404, { list: 'x', mailing: '0' }],
  ] as const) {
    for (const filters of filtersOf(ids)) {
      assertRefused(await call('POST', '/dynamic_lists', { name: 'No', filters }), status);
      assertRefused(await call('PATCH', `/dynamic_lists/${id}`, { filters }), status);
    }
    assertRefused(await call('PUT', `/dynamic_lists/${id}`, { rule: `on list ${ids.list}` }), status);
  }
});
