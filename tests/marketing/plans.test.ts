import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { firstIdAt } from '../../src/platform/ids.ts';
import { startApp } from '../support/app.ts';
import { lookedAt } from '../support/looked-at.ts';
import { asOwner } from '../support/owner.ts';
import { marketingOf } from './support.ts';

const JOIN = `select join_lists($1, $2, $3, false, 'form', '{}', now())`;
const ADD_PEOPLE = `
  insert into subscribers (id, customer_id, email, created_at, updated_at)
  select time_ordered_id(now()), $1, 'p' || n || '@example.com', now(), now() from generate_series(1, 400) n
  returning id`;
const ADD_BY_FORM = `select add_subscribers($1, 'All subscribers')`;
const ADD_OPT_OUTS = `
  insert into suppressions (customer_id, address_index, reason, sealed, created_at)
  select $1, sha256(convert_to('out-' || n || '@example.com', 'utf8')), 'opt_out', '', now() from generate_series(1, 400) n`;
const FIND = 'select * from find_people($1, array[1, 2, 3], $2, $3)';
const ADD_NUMBERS = `
  insert into subscribers (id, customer_id, phone_number, created_at, updated_at)
  select time_ordered_id(now()), $1, '+1415' || (5550000 + n), now(), now() from generate_series(1, 400) n`;
const ADD_FAMILY = `
  insert into subscribers (id, customer_id, email, phone_number, created_at, updated_at)
  select time_ordered_id(now()), $1, 'q' || n || '@example.com', '+1415' || (5550000 + n), now(), now()
  from generate_series(1, 400) n`;
const TAKE_NUMBERS = `
  with taken as (
    update subscribers set phone_number = null where customer_id = $1 and email like 'q_@example.com' returning id, email
  )
  insert into import_changes (import_id, customer_id, subscriber_id, before, after, number_before)
  select $2, $1, id, jsonb_build_object('phone_number', number), '{}', number
  from taken cross join lateral (select '+1415' || (5550000 + substr(email, 2, 1)::int) as number) before`;
const NAMED = 'select k.number from known_by_number($1, $2, $3) k order by 1';

const ADD_MESSAGES = `
  insert into messages (id, customer_id, content_id, mode, from_address, envelope, created_at)
  select time_ordered_id(now()), $1, gen_random_uuid(), 'live', 'a@example.org', '', now() from generate_series(1, 400)`;
const MANY_CALLS = 8; // by the sixth PostgreSQL may keep a plan that knows nothing of the time that is asked for

test('whoever joins a list is found by their key, also by a plan that was made when there was nobody', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { id: customerId } = customer;
  const lists = [Number(await marketingOf(app, customer).addList('News'))];
  await asOwner(app, async (client) => {
    await client.query('set role carepost_app');
    await client.query(`select set_config('carepost.customers', $1, false)`, [`{${customerId}}`]);
    await client.query(JOIN, [customerId, [], lists]);
    const { rows } = await client.query(ADD_PEOPLE, [customerId]);
    await client.query('begin');
    await client.query(JOIN, [customerId, rows.slice(0, 4).map(({ id }) => id), lists]);
    const { subscribers = 0 } = await lookedAt((text) => client.query(text));
    const { rowCount } = await client.query('select from subscriptions');
    await client.query('rollback');
    assert.equal(rowCount, 4);
    assert.ok(subscribers <= 8, `${subscribers} rows`);
  });
});

test('whoever comes by a form is found by their key, and so is their opt-out, also by plans that were made when there was nobody', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { id: customerId } = customer;
  const places = [{ list: Number(await marketingOf(app, customer).addList('News')) }];
  const at = new Date();
  const by = { customer_id: customerId, at, actor_kind: 'public', actor_id: 'form', action: 'subscriber.joined' };
  const come = (email: string) => ({
    id: randomUUID(),
    customer_id: customerId,
    email,
    address_index: createHash('sha256').update(email).digest('hex'),
    at,
    places,
    forms: [],
    audit: { ...by, id: randomUUID() },
  });
  await asOwner(app, async (client) => {
    await client.query('set role carepost_app');
    await client.query(`select set_config('carepost.customers', $1, false)`, [`{${customerId}}`]);
    const add = (...emails: string[]) => client.query(ADD_BY_FORM, [JSON.stringify(emails.map(come))]);
    for (let call = 0; call < MANY_CALLS; call += 1) await add('first@example.com');
    for (const more of [ADD_PEOPLE, ADD_OPT_OUTS]) await client.query(more, [customerId]);
    await client.query('begin');
    const before = await lookedAt((text) => client.query(text));
    await add('p1@example.com', 'new@example.com', 'out-3@example.com');
    const after = await lookedAt((text) => client.query(text));
    const { rows } = await client.query('select email from subscribers where unsubscribed_at is not null');
    await client.query('rollback');
    assert.deepEqual(rows, [{ email: 'out-3@example.com' }]);
    for (const table of ['subscribers', 'suppressions']) {
      const count = (after[table] ?? 0) - (before[table] ?? 0);
      assert.ok(count <= 16, `${count} rows of ${table}`);
    }
  });
});

test('whom the rows of a file are about is found by address and by number, without a look at the others', async (t) => {
  const app = await startApp(t);
  const { id: customerId } = await app.createCustomer();
  await asOwner(app, async (client) => {
    await client.query('set role carepost_app');
    await client.query(`select set_config('carepost.customers', $1, false)`, [`{${customerId}}`]);
    const wanted = [
      ['p7@example.com', 'P8@EXAMPLE.COM', null],
      [null, null, '+14155550009'],
    ];
    assert.equal((await client.query(FIND, [customerId, ...wanted])).rowCount, 0);
    for (const add of [ADD_PEOPLE, ADD_NUMBERS]) await client.query(add, [customerId]);
    await client.query('begin');
    const { rows } = await client.query(FIND, [customerId, ...wanted]);
    const { subscribers = 0 } = await lookedAt((text) => client.query(text));
    await client.query('rollback');
    assert.deepEqual(
      rows.map(({ number }) => number),
      [1, 2, 3],
    );
    assert.ok(subscribers <= 6, `${subscribers} rows`);
  });
});

test('whom a number alone names is found by it, without a look at the others or at people of somebody else', async (t) => {
  const app = await startApp(t);
  const [{ id: customerId }, { id: otherId }] = [await app.createCustomer(), await app.createCustomer()];
  const importId = randomUUID();
  const numbers = ['+14155550007', '+14155550008', '+14155550100', '+14155559999'];
  await asOwner(app, async (client) => {
    await client.query('set role carepost_app');
    const actFor = (id: number) => client.query(`select set_config('carepost.customers', $1, false)`, [`{${id}}`]);
    const named = async (whose: number, by: string | null) =>
      (await client.query(NAMED, [whose, by, numbers])).rows.map(({ number }) => number);
    await actFor(customerId);
    for (let call = 0; call < MANY_CALLS; call += 1) assert.deepEqual(await named(customerId, importId), []);
    await client.query(ADD_FAMILY, [customerId]);
    await client.query(TAKE_NUMBERS, [customerId, importId]);
    await client.query('begin');
    const before = await lookedAt((text) => client.query(text));
    assert.deepEqual(await named(customerId, null), ['+14155550100']);
    assert.deepEqual(await named(customerId, importId), numbers.slice(0, 3));
    const after = await lookedAt((text) => client.query(text));
    await client.query('rollback');
    for (const table of ['subscribers', 'import_changes']) {
      const rows = (after[table] ?? 0) - (before[table] ?? 0);
      assert.ok(rows <= 8, `${rows} rows of ${table}`);
    }
    await actFor(otherId);
    for (const whose of [customerId, otherId]) {
      assert.deepEqual(await named(whose, null), []);
      assert.deepEqual(await named(whose, importId), []);
    }
  });
});

test('whether something has come in is seen without a look at what came before', async (t) => {
  const app = await startApp(t);
  const { id: customerId } = await app.createCustomer();
  await asOwner(app, async (client) => {
    await client.query('set role carepost_app');
    await client.query(`select set_config('carepost.customers', $1, false)`, [`{${customerId}}`]);
    await client.query(ADD_MESSAGES, [customerId]);
    const ask = (since: string) =>
      client.query({ name: 'arrivals', text: 'select has_arrivals($1) as any', values: [since] });
    for (let call = 0; call < MANY_CALLS; call += 1) await ask(firstIdAt(new Date()));
    await client.query('begin');
    const [before, after] = [await ask(firstIdAt(new Date(0))), await ask(firstIdAt(new Date(Date.now() + 60_000)))];
    const { messages = 0 } = await lookedAt((text) => client.query(text));
    await client.query('rollback');
    assert.deepEqual([before.rows, after.rows], [[{ any: true }], [{ any: false }]]);
    assert.ok(messages <= 2, `${messages} rows`);
  });
});
