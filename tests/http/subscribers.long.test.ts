import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';

const BASES = ['/v1/marketing', '/marketing', '/v1/orca/{username}'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const clock = createMovableClock();

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

type Fields = Record<string, unknown>;

function post(customer: TestCustomer, body: unknown, base = '/v1/marketing') {
  const path = `${base.replace('{username}', customer.username)}/subscribers`;
  return app.request('POST', path, { headers: { authorization: `Token token=${customer.key}` }, body });
}

async function save(customer: TestCustomer, subscriber: Fields, more: Fields = {}) {
  const { status, body } = await post(customer, { subscriber, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

/** The people of a customer, each with custom fields and the names of the lists they are on. */
function storedPeople({ id }: TestCustomer) {
  return app.installation.db.tenant([id], async (tx) => {
    const people = await tx.selectFrom('subscribers').selectAll().orderBy('number').execute();
    const types = await tx.selectFrom('custom_field_types').select(['number', 'name']).execute();
    const names = new Map(types.map(({ number, name }) => [String(number), name]));
    const lists = await tx
      .selectFrom('subscriptions as s')
      .innerJoin('subscription_lists as l', 'l.id', 's.subscription_list_id')
      .select(['s.subscriber_id', 'l.name', 'l.is_default', 's.unsubscribed_at'])
      .orderBy('l.id')
      .execute();
    return people.map((person) => ({
      ...person,
      fields: Object.fromEntries(Object.entries(person.fields).map(([number, value]) => [names.get(number), value])),
      lists: lists
        .filter((list) => list.subscriber_id === person.id)
        .map((list) => (list.is_default ? 'default' : list.name)),
    }));
  });
}

async function onlyPerson(customer: TestCustomer) {
  const people = await storedPeople(customer);
  assert.equal(people.length, 1);
  return people[0] as (typeof people)[number];
}

async function createList({ id }: TestCustomer, name: string): Promise<number> {
  const now = clock.now();
  const values = { customer_id: id, name, is_default: false, created_at: now, updated_at: now };
  const row = await app.installation.db.tenant([id], (tx) =>
    tx.insertInto('subscription_lists').values(values).returning('id').executeTakeFirstOrThrow(),
  );
  return row.id;
}

function assertRefused({ status, body }: Reply, expected: { status: number; code: string; field?: string }): void {
  assert.equal(status, expected.status);
  assert.deepEqual(Object.keys(body), ['error', 'code', 'details']);
  assert.equal(typeof body.error, 'string');
  assert.notEqual(body.error, '');
  assert.equal(body.code, expected.code);
  assert.deepEqual(Object.keys(body.details), expected.field === undefined ? [] : [expected.field]);
}

test('a subscriber is created and answered as a resource, on every base', async () => {
  for (const base of BASES) {
    const customer = await app.createCustomer();
    const subscriber = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Größe-Lee' };
    const { status, body } = await post(customer, { subscriber }, base);
    assert.equal(status, 200);
    const now = clock.now().toISOString();
    assert.match(body.data.id, UUID);
    assert.deepEqual(body, {
      data: {
        id: body.data.id,
        type: 'subscriber',
        attributes: {
          ...subscriber,
          phone_number: null,
          time_zone: null,
          full_name: 'Ann Größe-Lee',
          unsubscribed: false,
          created_at: now,
          updated_at: now,
        },
      },
    });
    assert.equal((await onlyPerson(customer)).id, body.data.id);
  }
});

test('the key comes as a token, as a quoted token or as a bearer', async () => {
  const customer = await app.createCustomer();
  const send = (authorization: string) =>
    app.request('POST', '/v1/marketing/subscribers', {
      headers: { authorization },
      body: { subscriber: { email: 'ann@example.com' } },
    });
  const { key } = customer;
  for (const header of [`Token token=${key}`, `Token token="${key}"`, `Bearer ${key}`, `token token=${key}`]) {
    assert.equal((await send(header)).status, 200, header.replace(key, 'KEY'));
  }
  const { key: otherScopes } = await app.createKey(customer, ['email', 'forms']);
  for (const header of [key, `Token ${key}`, `Basic ${key}`, `Token token=${key}x`, `Token token=${otherScopes}`, '']) {
    assertRefused(await send(header), { status: 401, code: 'invalid_access_token' });
  }
});

test('a second post with the same address in any case updates the same person', async () => {
  const customer = await app.createCustomer();
  const first = await save(customer, { email: 'Ann.Lee@example.com', first_name: 'Ann' });
  clock.advance(1_000);
  const spellings = ['ann.lee@example.com', 'ANN.LEE@EXAMPLE.COM', ' Ann.Lee@Example.com ', 'aNN.lEE@eXAMPLE.cOM'];
  for (const email of spellings) {
    const again = await save(customer, { email, last_name: 'Lee' });
    assert.equal(again.id, first.id, email);
    assert.equal(again.attributes.email.toLowerCase(), 'ann.lee@example.com');
    assert.equal(again.attributes.full_name, 'Ann Lee');
    assert.equal(again.attributes.created_at, first.attributes.created_at);
    assert.equal(again.attributes.updated_at, clock.now().toISOString());
  }
  await onlyPerson(customer);
});

test('a domain in letters of its own script and in ASCII is the same address', async () => {
  const customer = await app.createCustomer();
  const first = await save(customer, { email: 'ann@bücher.example' });
  const again = await save(customer, { email: 'ann@xn--bcher-kva.example' });
  assert.equal(again.id, first.id);
});

test('sent fields overwrite and unsent ones stay', async () => {
  const customer = await app.createCustomer();
  const person = { email: 'ann@example.com', phone_number: '+14155550123', first_name: 'Ann', last_name: 'Lee' };
  await save(customer, { ...person, custom_fields: [{ Ward: '7' }, { Doctor: 'Kim' }] });
  const kept = await save(customer, { email: person.email });
  assert.equal(kept.attributes.full_name, 'Ann Lee');
  assert.equal(kept.attributes.phone_number, '+14155550123');
  assert.deepEqual((await onlyPerson(customer)).fields, { Ward: '7', Doctor: 'Kim' });

  const changed = await save(customer, { email: person.email, last_name: 'Kim', custom_fields: [{ Ward: '8' }] });
  assert.equal(changed.attributes.full_name, 'Ann Kim');
  assert.deepEqual((await onlyPerson(customer)).fields, { Ward: '8', Doctor: 'Kim' });
  const moved = await save(customer, { email: person.email, phone_number: '+442071234567' });
  assert.equal(moved.attributes.phone_number, '+442071234567');
  assert.equal(moved.attributes.first_name, 'Ann');
});

test('an empty text takes a value away, and null leaves it', async () => {
  const customer = await app.createCustomer();
  const { email, ...known } = {
    email: 'ann@example.com',
    phone_number: '+14155550123',
    first_name: 'Ann',
    last_name: 'Lee',
    time_zone: 'Europe/Berlin',
  };
  const none = { first_name: null, last_name: null, phone_number: null, time_zone: null };
  await save(customer, { email, ...known });
  const kept = await save(customer, { email, ...none });
  assert.deepEqual({ ...kept.attributes, ...known }, kept.attributes);

  const unnamed = await save(customer, { email, first_name: '' });
  assert.deepEqual([unnamed.attributes.first_name, unnamed.attributes.last_name], [null, 'Lee']);
  const cleared = await save(customer, { email, last_name: ' ', phone_number: '', time_zone: '' });
  assert.deepEqual({ ...cleared.attributes, ...none }, cleared.attributes);

  const byPhone = await save(customer, { email: '', phone_number: '+14155550124', first_name: 'Ben' });
  const same = await save(customer, { email: '', phone_number: '+14155550124', first_name: '' });
  assert.deepEqual([same.id, same.attributes.first_name], [byPhone.id, null]);
});

test('a person without an address is known by phone number, however it is written', async () => {
  const customer = await app.createCustomer();
  const first = await save(customer, { phone_number: '+14155550123', first_name: 'Ann' });
  assert.equal(first.attributes.email, null);
  assert.equal(first.attributes.phone_number, '+14155550123');
  for (const phone of ['+1 (415) 555-0123', ' +1.415.555.0123 ']) {
    for (const email of [null, '', ' ']) {
      const again = await save(customer, { phone_number: phone, email, last_name: 'Lee' });
      assert.equal(again.id, first.id);
      assert.equal(again.attributes.full_name, 'Ann Lee');
    }
  }
  const other = await save(customer, { phone_number: '+14155550124' });
  assert.notEqual(other.id, first.id);
  assert.deepEqual((await onlyPersonOf(customer, first.id)).lists, ['default']);
});

async function onlyPersonOf(customer: TestCustomer, id: string) {
  const person = (await storedPeople(customer)).find((each) => each.id === id);
  assert.ok(person);
  return person;
}

test('people with the same phone number but addresses of their own stay apart', async () => {
  const customer = await app.createCustomer();
  await save(customer, { email: 'ann@example.com', phone_number: '+14155550123' });
  await save(customer, { email: 'ben@example.com', phone_number: '+14155550123' });
  assert.equal((await storedPeople(customer)).length, 2);
});

test('a phone number alone names the one person who has it, and nobody where several do', async () => {
  const customer = await app.createCustomer();
  const number = { phone_number: '+14155550123' };
  const ann = await save(customer, { email: 'Ann@example.com', ...number, last_name: 'Lee' });
  await app.request('POST', '/v1/marketing/subscriptions/unsubscribe', {
    key: customer.key,
    body: { subscriber_ids: [ann.id] },
  });
  const same = await save(customer, { ...number, email: '', first_name: 'Ann' });
  assert.deepEqual([same.id, same.attributes.email], [ann.id, 'Ann@example.com']);
  assert.deepEqual([same.attributes.full_name, same.attributes.unsubscribed], ['Ann Lee', true], 'who left stays out');
  const elsewhere = await save(await app.createCustomer(), number);
  assert.notEqual(elsewhere.id, ann.id, 'a person of somebody else is not meant');

  const ben = await save(customer, { email: 'ben@example.com', ...number });
  const nobody = await save(customer, { ...number, first_name: 'Cid' });
  assert.ok(![ann.id, ben.id].includes(nobody.id), 'several have it, so somebody new is meant');
  await app.request('DELETE', `/v1/marketing/subscribers/${ben.id}`, { key: customer.key });
  const again = await save(customer, { ...number, first_name: 'Cyd' });
  assert.deepEqual([again.id, again.attributes.email], [nobody.id, null], 'who has no address goes before');
});

test('a subscriber joins the default list and the given one, its id as text or as a number', async () => {
  const customer = await app.createCustomer();
  const [news, clinic] = [await createList(customer, 'News'), await createList(customer, 'Clinic')];
  await save(customer, { email: 'none@example.com' });
  await save(customer, { email: 'text@example.com' }, { subscription_list_id: String(news) });
  await save(customer, { email: 'number@example.com' }, { subscription_list_id: clinic });
  await save(customer, { email: 'empty@example.com' }, { subscription_list_id: '' });
  await save(customer, { email: 'null@example.com' }, { subscription_list_id: null });
  const lists = (await storedPeople(customer)).map((person) => person.lists.toSorted());
  assert.deepEqual(lists, [['default'], ['News', 'default'], ['Clinic', 'default'], ['default'], ['default']]);

  await save(customer, { email: 'text@example.com' }, { subscription_list_id: clinic });
  await save(customer, { email: 'text@example.com' }, { subscription_list_id: clinic });
  const text = (await storedPeople(customer)).find((person) => person.email === 'text@example.com');
  assert.deepEqual(text?.lists.toSorted(), ['Clinic', 'News', 'default'], 'each list once');
});

test('a list that exists nowhere is 404, and the person is not stored', async () => {
  const customer = await app.createCustomer();
  const last = await createList(customer, 'Last');
  const ids = [
    last + 1_000_000,
    String(last + 1_000_000),
    0,
    -1,
    '0',
    'x',
    `${last}x`,
    `0${last}`,
    '9'.repeat(40),
    1e20,
  ];
  for (const subscription_list_id of ids) {
    const reply = await post(customer, { subscriber: { email: 'ann@example.com' }, subscription_list_id });
    assertRefused(reply, { status: 404, code: 'not_found', field: 'subscription_list_id' });
  }
  assert.deepEqual(await storedPeople(customer), []);
});

test("another customer's list is 403, and the person is not stored", async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const foreign = await createList(stranger, 'Theirs');
  for (const subscription_list_id of [foreign, String(foreign)]) {
    const reply = await post(customer, { subscriber: { email: 'ann@example.com' }, subscription_list_id });
    assertRefused(reply, { status: 403, code: 'forbidden', field: 'subscription_list_id' });
    assert.deepEqual(reply.body, {
      error: 'The resource belongs to another customer',
      code: 'forbidden',
      details: { subscription_list_id: ['belongs to another customer'] },
    });
  }
  assert.deepEqual(await storedPeople(customer), []);
  assert.deepEqual(await storedPeople(stranger), []);
});

test('custom fields come as {name: value} or as {name, value}, and unknown ones are created', async () => {
  const customer = await app.createCustomer();
  const custom_fields = [
    { Ward: '7', Doctor: 'Kim' },
    { name: 'Allergy', value: 'Nüsse' },
    { name: 'Named name' },
    { value: 'Valued value' },
    { Age: 41 },
    { name: 'Weight', value: 70.5 },
    { Smoker: false },
    { Nothing: null },
    { name: 'Empty', value: '' },
    { ' Spaced ': ' out ' },
  ];
  await save(customer, { email: 'ann@example.com', custom_fields });
  assert.deepEqual((await onlyPerson(customer)).fields, {
    Ward: '7',
    Doctor: 'Kim',
    Allergy: 'Nüsse',
    name: 'Named name',
    value: 'Valued value',
    Age: '41',
    Weight: '70.5',
    Smoker: 'false',
    Spaced: 'out',
  });
  for (const none of [[], null, [{}]]) await save(customer, { email: 'ann@example.com', custom_fields: none });
  await save(customer, { email: 'ben@example.com', custom_fields: [{ Ward: '9' }] });
  const types = await app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('custom_field_types').select('name').where('name', '=', 'Ward').execute(),
  );
  assert.equal(types.length, 1, 'a known field is used again');
});

test('custom fields that hold no plain value are refused', async () => {
  const customer = await app.createCustomer();
  for (const custom_fields of [[{ Ward: [] }], [{ Ward: {} }], [{ '': 'x' }], [{ name: ' ', value: 'x' }]]) {
    const reply = await post(customer, { subscriber: { email: 'ann@example.com', custom_fields } });
    assertRefused(reply, { status: 400, code: 'invalid_request', field: 'subscriber.custom_fields[0]' });
  }
  const many = Array.from({ length: 201 }, (_, index) => ({ [`f${index}`]: 'x' }));
  const reply = await post(customer, { subscriber: { email: 'ann@example.com', custom_fields: many } });
  assertRefused(reply, { status: 400, code: 'invalid_request', field: 'subscriber.custom_fields' });
  assert.deepEqual(await storedPeople(customer), []);
});

test('an address or phone number that is none is 422 and names the field', async () => {
  const customer = await app.createCustomer();
  const unfit = { status: 422, code: 'unprocessable' };
  for (const email of [
    'ann',
    'ann@',
    '@example.com',
    'a b@example.com',
    'Ann <ann@example.com>',
    '<ann@example.com>',
    'a@b,c@d.test',
  ]) {
    const reply = await post(customer, { subscriber: { email, phone_number: '+14155550123' } });
    assertRefused(reply, { ...unfit, field: 'subscriber.email' });
  }
  for (const phone_number of ['4155550123', '+0155550123', '+1', '+1415555012345678', '+1415x550123', 'phone']) {
    const reply = await post(customer, { subscriber: { phone_number, email: 'ann@example.com' } });
    assertRefused(reply, { ...unfit, field: 'subscriber.phone_number' });
  }
  const nobody = [{}, { email: '' }, { email: ' ', phone_number: null }, { first_name: 'Ann', phone_number: '' }];
  for (const subscriber of nobody) {
    assertRefused(await post(customer, { subscriber }), { ...unfit, field: 'subscriber.email' });
  }
  assert.deepEqual(await storedPeople(customer), []);
});

test('a body of the wrong shape is 400 in the same error body', async () => {
  const customer = await app.createCustomer();
  const invalid = { status: 400, code: 'invalid_request' };
  assertRefused(await post(customer, {}), { ...invalid, field: 'subscriber' });
  assertRefused(await post(customer, { email: 'ann@example.com' }), { ...invalid, field: 'subscriber' });
  assertRefused(await post(customer, { subscriber: { email: 7 } }), { ...invalid, field: 'subscriber.email' });
  assertRefused(await post(customer, { subscriber: { email: `${'a'.repeat(1_001)}@b.test` } }), {
    ...invalid,
    field: 'subscriber.email',
  });
});

test('whoever opted out stays out, of everything and of a list', async () => {
  const customer = await app.createCustomer();
  const news = await createList(customer, 'News');
  const { id } = await save(customer, { email: 'ann@example.com' }, { subscription_list_id: news });
  const leftAt = clock.now();
  await app.installation.db.tenant([customer.id], async (tx) => {
    await tx.updateTable('subscribers').set({ unsubscribed_at: leftAt }).where('id', '=', id).execute();
    await tx.updateTable('subscriptions').set({ unsubscribed_at: leftAt }).where('subscriber_id', '=', id).execute();
  });
  clock.advance(1_000);
  const again = await save(customer, { email: 'ANN@example.com', first_name: 'Ann' }, { subscription_list_id: news });
  assert.equal(again.id, id);
  assert.equal(again.attributes.unsubscribed, true);
  assert.equal(again.attributes.first_name, 'Ann');
  const left = await app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('subscriptions').select('unsubscribed_at').where('subscriber_id', '=', id).execute(),
  );
  assert.deepEqual(left, [{ unsubscribed_at: leftAt }, { unsubscribed_at: leftAt }]);
});

test('customers do not share people', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const mine = await save(customer, { email: 'ann@example.com', first_name: 'Ann' });
  const theirs = await save(stranger, { email: 'ann@example.com' });
  assert.notEqual(mine.id, theirs.id);
  assert.equal(theirs.attributes.first_name, null);
});

test('concurrent posts of one address make one person on one default list', async () => {
  const customer = await app.createCustomer();
  const posts = Array.from({ length: 40 }, (_, index) =>
    save(customer, {
      email: index % 2 === 0 ? 'ann@example.com' : 'ANN@example.com',
      custom_fields: [{ [`f${index % 5}`]: String(index) }],
    }),
  );
  const ids = (await Promise.all(posts)).map((data) => data.id);
  assert.equal(new Set(ids).size, 1);
  const person = await onlyPerson(customer);
  assert.deepEqual(person.lists, ['default']);
  assert.deepEqual(Object.keys(person.fields).toSorted(), ['f0', 'f1', 'f2', 'f3', 'f4']);
});

test('concurrent posts of different people may create the same custom fields in any order', async () => {
  const customer = await app.createCustomer();
  for (let round = 0; round < 5; round += 1) {
    const fields = Array.from({ length: 150 }, (_, index) => ({ [`r${round} f${index}`]: 'x' }));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        save(customer, {
          email: `p${round}-${index}@example.com`,
          custom_fields: index % 2 === 0 ? fields : fields.toReversed(),
        }),
      ),
    );
  }
  const people = await storedPeople(customer);
  assert.equal(people.length, 50);
  for (const { fields } of people) assert.equal(Object.keys(fields).length, 150);
});
