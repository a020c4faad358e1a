import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { asOwner } from '../support/owner.ts';
import { assertRefused, type Calls, callsOf, EVERYBODY } from './calls.ts';

const clock = createMovableClock();

let app: TestApp;
let customer: TestCustomer;
let call: Calls['call'];
let create: Calls['create'];
let addPerson: Calls['addPerson'];
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});
beforeEach(async () => {
  customer = await app.createCustomer();
  ({ call, create, addPerson } = callsOf(app, customer));
});

test('a dynamic list is made from filters or from a rule, in every form', async () => {
  await addPerson({ email: 'ann@example.org', custom_fields: [{ city: 'Berlin' }, { age: '41' }] });
  await addPerson({ email: 'ben@example.net', custom_fields: [{ city: 'BERLIN' }, { age: '40' }] });
  const filters = [
    [
      { field: 'custom_fields.city', op: 'Equals', terms: 'berlin' },
      { field: 'age', op: '>', terms: 40 },
    ],
  ];
  const rule = 'city is "berlin" and age is more than 40';
  const bodies = [{ filters }, { filters: JSON.stringify(filters) }, { rule }, { filters, rule }];
  for (const parts of [...bodies, ...bodies.map((each) => ({ dynamic_list: each }))]) {
    const made = await create(
      'dynamic_list' in parts ? { dynamic_list: { name: 'B', ...parts.dynamic_list } } : { name: 'B', ...parts },
    );
    const now = clock.now().toISOString();
    assert.deepEqual(made, {
      id: made.id,
      type: 'dynamic_list',
      attributes: {
        name: 'B',
        filters: [
          [
            { field: 'city', op: 'is', terms: ['berlin'] },
            { field: 'age', op: 'more_than', terms: ['40'] },
          ],
        ],
        rule,
        subscriber_count: 1,
        counted_at: now,
        created_at: now,
        updated_at: now,
      },
    });
    assert.deepEqual((await call('GET', `/dynamic_lists/${made.id}`)).body.data, made);
  }
});

test('a custom field that is called otherwise by now is still the same one', async () => {
  await addPerson({ email: 'ann@example.org', custom_fields: [{ city: 'Berlin' }] });
  const { id } = await create({ name: 'City', rule: 'city is "Berlin"' });
  await asOwner(app, (client) =>
    client.query(`update custom_field_types set name = 'email' where customer_id = $1`, [customer.id]),
  );
  const { attributes } = (await call('GET', `/dynamic_lists/${id}`)).body.data;
  assert.equal(attributes.rule, 'custom_fields.email is "Berlin"');
  assert.equal(attributes.subscriber_count, 1);
  const again = await call('PUT', `/dynamic_lists/${id}`, attributes);
  assert.equal(again.body.data.attributes.rule, attributes.rule);
});

test('a custom field of another kind by now is asked as that kind, or keeps its own', async () => {
  await addPerson({ email: 'ann@example.org', custom_fields: [{ smokes: 'Yes' }, { age: '9' }] });
  await addPerson({ email: 'ben@example.org', custom_fields: [{ smokes: 'true' }, { age: '09.0' }] });
  await addPerson({ email: 'cy@example.org', custom_fields: [{ smokes: 'n' }, { age: '10' }] });
  const types = (await call('GET', '/subscriber_custom_field_types')).body.data as {
    id: string;
    attributes: { name: string };
  }[];
  const turn = (name: string, kind: string) => {
    const id = types.find(({ attributes }) => attributes.name === name)?.id;
    return call('PATCH', `/subscriber_custom_field_types/${id}`, { kind });
  };
  const smokers = await create({ name: 'Smokers', rule: 'smokes is "yes"' });
  const nine = await create({ name: 'Nine', rule: 'age is "9"' });
  assert.deepEqual(
    [smokers, nine].map(({ attributes }) => attributes.subscriber_count),
    [1, 1],
  );
  assert.equal((await turn('smokes', 'yes_no')).status, 200);
  assert.equal((await turn('age', 'number')).status, 200);
  for (const { id } of [smokers, nine]) {
    const { attributes } = (await call('GET', `/dynamic_lists/${id}`)).body.data;
    assert.equal(attributes.subscriber_count, 2);
    const again = await call('PATCH', `/dynamic_lists/${id}`, { filters: attributes.filters });
    assert.deepEqual([again.status, again.body.data.attributes.subscriber_count], [200, 2]);
  }
  assertRefused(await turn('smokes', 'date'), 409, 'kind');
  assert.equal((await call('GET', `/dynamic_lists/${smokers.id}`)).body.data.attributes.subscriber_count, 2);
});

test('a custom field that a dynamic list stands on cannot be removed', async () => {
  await addPerson({ email: 'ann@example.org', custom_fields: [{ city: 'Berlin' }] });
  const [{ id: fieldId }] = (await call('GET', '/subscriber_custom_field_types')).body.data;
  const { id } = await create({ name: 'Berlin', rule: 'city is "Berlin"' });
  const path = `/subscriber_custom_field_types/${fieldId}`;
  const refused = await call('DELETE', path);
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
  await call('DELETE', `/dynamic_lists/${id}`);
  assert.equal((await call('DELETE', path)).status, 200);
});

test('a dynamic list is changed and taken away', async () => {
  await addPerson({ email: 'ann@example.org' });
  const { id, attributes } = await create({ name: 'Old', filters: EVERYBODY });
  assert.equal(attributes.subscriber_count, 1);
  clock.advance(1_000);
  const renamed = (await call('PATCH', `/dynamic_lists/${id}`, { name: 'New' })).body.data.attributes;
  const now = clock.now().toISOString();
  assert.deepEqual(renamed, { ...attributes, name: 'New', updated_at: now, counted_at: now });
  clock.advance(1_000);
  const moved = await call('PUT', `/dynamic_lists/${id}`, { dynamic_list: { rule: 'email is empty' } });
  assert.equal(moved.body.data.attributes.subscriber_count, 0);
  assert.equal(moved.body.data.attributes.name, 'New');
  clock.advance(1_000);
  assert.deepEqual((await call('DELETE', `/dynamic_lists/${id}`)).body, {});
  for (const method of ['GET', 'DELETE']) assertRefused(await call(method, `/dynamic_lists/${id}`), 404);
  const { rows } = await asOwner(app, (client) =>
    client.query('select action from audit_log where target = $1 order by id', [id]),
  );
  const kinds = ['segment.created', 'segment.updated', 'segment.updated', 'segment.deleted'];
  assert.deepEqual(
    rows.map(({ action }) => action),
    kinds,
  );
});

test('a change without a condition is refused, and what is null, an empty text or left out stays', async () => {
  const { id, attributes } = await create({ name: 'Kept', filters: EVERYBODY });
  for (const method of ['PATCH', 'PUT']) {
    const change = (body: object) => call(method, `/dynamic_lists/${id}`, body);
    for (const filters of [[], '[]', 'null']) {
      assertRefused(await change({ name: 'No', filters }), 400, 'filters', /at least one condition/);
      assertRefused(await change({ dynamic_list: { filters } }), 400, 'filters');
    }
    assertRefused(await change({ filters: [], rule: '' }), 400, 'filters', /at least one condition/);
    const nothing = { filters: '', rule: ' ' };
    for (const body of [{}, { filters: null, rule: null }, { name: 'Kept', ...nothing }, { dynamic_list: nothing }]) {
      assert.deepEqual((await change(body)).body.data.attributes, {
        ...attributes,
        updated_at: clock.now().toISOString(),
      });
    }
    const { filters } = (await change({ filters: [], rule: attributes.rule })).body.data.attributes;
    assert.deepEqual(filters, attributes.filters, 'one of the two is enough');
  }
});

test('the same request under one Idempotency-Key makes one dynamic list', async () => {
  const options = {
    key: customer.key,
    headers: { 'idempotency-key': 'k' },
    body: { name: 'Once', filters: EVERYBODY },
  };
  const [first, second] = [
    await app.request('POST', '/v1/marketing/dynamic_lists', options),
    await app.request('POST', '/v1/marketing/dynamic_lists', options),
  ];
  assert.deepEqual(second.body, first.body);
  assert.equal((await call('GET', '/dynamic_lists')).body.data.length, 1);
});

test('a customer has at most a thousand dynamic lists', async () => {
  await asOwner(app, (client) =>
    client.query(
      `insert into segments (id, customer_id, name, filters, created_at, updated_at)
       select gen_random_uuid(), $1, 'S' || n, $2, now(), now() from generate_series(1, 999) n`,
      [customer.id, JSON.stringify(EVERYBODY)],
    ),
  );
  await create({ name: 'The thousandth', filters: EVERYBODY });
  assertRefused(await call('POST', '/dynamic_lists', { name: 'One more', filters: EVERYBODY }), 422);
});

test('dynamic lists are listed: all of them or a page, searched and in order', async () => {
  for (const name of [
    ...Array.from({ length: 12 }, (_, index) => `List ${String(index + 1).padStart(2, '0')}`),
    '100% b_b',
    'apple',
  ]) {
    await create({ name, filters: EVERYBODY });
    clock.advance(1_000);
  }
  const names = async (query: string) => {
    const { status, body } = await call('GET', `/dynamic_lists?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
  };
  const newest = ['apple', '100% b_b', 'List 12'];
  assert.deepEqual((await names('')).slice(0, 3), newest);
  assert.equal((await names('')).length, 14);
  assert.deepEqual(await names('search=%25 B_'), ['100% b_b']);
  assert.equal((await names('search=lIST')).length, 12);
  assert.deepEqual((await names('order_by=name&order=asc')).slice(0, 3), ['100% b_b', 'apple', 'List 01']);
  assert.deepEqual((await names('order=asc')).slice(0, 2), ['List 01', 'List 02']);
  const { body } = await call('GET', '/dynamic_lists?use_pagination=true&page=2');
  assert.deepEqual(body.page_info, { count: 14, pages: 2, page: 2, items: 10 });
  assert.equal(body.data.length, 4);
  const few = await call('GET', '/dynamic_lists?use_pagination=true&items=3&search=list');
  assert.deepEqual(few.body.page_info, { count: 12, pages: 4, page: 1, items: 3 });
  for (const query of ['order_by=filters', 'order=up', 'page=0', 'items=1001', 'search=%00']) {
    assertRefused(await call('GET', `/dynamic_lists?${query}`), 400);
  }
});

test('somebody is told why they are in a dynamic list or not', async () => {
  const ann = await addPerson({ email: 'ann@example.org', first_name: 'Ann', custom_fields: [{ city: 'Bonn' }] });
  const { id } = await create({
    name: 'Why',
    rule: 'city is "Berlin" and first_name is "ann" or email ends with ".org"',
  });
  const explain = (person: string) => call('GET', `/dynamic_lists/${id}/explain?subscriber_id=${person}`);
  const expected = {
    subscriber_id: ann,
    member: true,
    groups: [
      {
        holds: false,
        conditions: [
          { field: 'city', op: 'is', holds: false },
          { field: 'first_name', op: 'is', holds: true },
        ],
      },
      { holds: true, conditions: [{ field: 'email', op: 'ends_with', holds: true }] },
    ],
  };
  assert.deepEqual((await explain(ann)).body, { data: expected });
  const { rows } = await asOwner(app, (client) => client.query('select number from subscribers where id = $1', [ann]));
  assert.deepEqual((await explain(rows[0].number)).body, { data: expected });
  const stranger = await app.createCustomer();
  const foreign = await callsOf(app, stranger).addPerson({ email: 'eve@example.org' });
  assertRefused(await explain(foreign), 403);
  for (const nobody of [randomUUID(), '999999999', 'x']) assertRefused(await explain(nobody), 404);
  assertRefused(await explain(''), 400, 'subscriber_id');
  const trace = await asOwner(app, (client) =>
    client.query(`select details from audit_log where action = 'segment.explained' and target = $1`, [id]),
  );
  assert.deepEqual(trace.rows[0].details, { subscriber: ann });
});
