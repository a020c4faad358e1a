import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { type Marketing, marketingOf, refusalOf, rowsOf } from './support.ts';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;

before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
});

const create = (subscribers: object[], more: object = {}) =>
  marketing.ask('POST', '/subscribers_bulk_create', { subscribers, ...more });
const names = async () => (await marketing.namesIn('/subscribers')).toSorted();

test('many people are added at once; whoever is there already is updated', async () => {
  const list = await marketing.addList('News');
  await marketing.addPerson('ann@example.com', { first_name: 'Anne' });
  const people = [
    { email: 'bob@example.com', custom_fields: [{ Ward: '7' }] },
    { email: 'ANN@example.com', first_name: 'Ann' },
    { phone_number: '+14155550123' },
    { email: 'Bob@example.com', last_name: 'Lee' },
  ];
  const { status, body } = await create(people, { subscription_list_id: list });
  assert.equal(status, 200);
  assert.deepEqual(body, { data: { num_subscribers_added: 2 } });
  const rows = await rowsOf(
    app,
    'select lower(email) as email, first_name, last_name from subscribers where customer_id = $1 order by 1',
    [customer.id],
  );
  assert.deepEqual(rows, [
    { email: 'ann@example.com', first_name: 'Ann', last_name: null },
    { email: 'bob@example.com', first_name: null, last_name: 'Lee' },
    { email: null, first_name: null, last_name: null },
  ]);
  assert.equal((await marketing.take('GET', `/subscribers/subscribed_count?subscription_list_id=${list}`)).data, 3);
  assert.deepEqual((await create(people)).body, { data: { num_subscribers_added: 0 } });
});

test('a phone number alone names the one person who had it before, whatever stands beside it', async () => {
  const number = { phone_number: '+14155550123' };
  await marketing.addPerson('ann@example.com', number);
  const people = [
    { ...number, first_name: 'Ann' },
    { email: 'bob@example.com', ...number },
    { email: 'ann@example.com' },
  ];
  assert.deepEqual((await create(people)).body, { data: { num_subscribers_added: 1 } });
  const rows = await rowsOf(app, 'select email, first_name from subscribers where customer_id = $1 order by email', [
    customer.id,
  ]);
  assert.deepEqual(rows, [
    { email: 'ann@example.com', first_name: 'Ann' },
    { email: 'bob@example.com', first_name: null },
  ]);
});

test('an empty text of one of many takes a value away', async () => {
  const known = { first_name: 'Ann', last_name: 'Lee', phone_number: '+14155550123' };
  const ids = [
    await marketing.addPerson('ann@example.com', known),
    await marketing.addPerson('bob@example.com', known),
  ];
  const none = { first_name: '', last_name: '', phone_number: '' };
  await create([
    { email: 'ann@example.com', ...none },
    { email: 'bob@example.com', first_name: null },
  ]);
  const rows = await rowsOf(
    app,
    'select first_name, last_name, phone_number from subscribers where id = any($1) order by email',
    [ids],
  );
  assert.deepEqual(rows, [{ first_name: null, last_name: null, phone_number: null }, known]);
});

test('one who is wrong is named, and nobody is added', async () => {
  await marketing.take('POST', '/subscriber_custom_field_types', { name: 'Age', kind: 'number' });
  const fine = { email: 'ann@example.com' };
  const cases: [object[], number, string][] = [
    [[fine, fine, fine, { email: 'no address' }], 422, 'subscribers[3].email'],
    [[fine, {}], 422, 'subscribers[1].email'],
    [[{ email: 'zoe@example.com', custom_fields: [{ Age: 'old' }] }, fine], 400, 'subscribers[0].custom_fields[0]'],
    [Array.from({ length: 1001 }, () => fine), 422, 'subscribers'],
  ];
  for (const [people, status, field] of cases) {
    const reply = await create(people);
    assert.deepEqual([reply.status, Object.keys(reply.body.details)], [status, [field]]);
    assert.ok(!reply.text.includes('no address') && !reply.text.includes('old'));
  }
  assert.deepEqual(await names(), []);
});

test('a thousand people are taken in one request, and a request that comes twice adds them once', async () => {
  const people = Array.from({ length: 1_000 }, (_, index) => ({ email: `p${index}@example.com`, first_name: 'P' }));
  const ask = () =>
    app.request('POST', '/v1/marketing/subscribers_bulk_create', {
      key: customer.key,
      headers: { 'idempotency-key': 'once' },
      body: { subscribers: people },
    });
  const replies = [await ask(), await ask()];
  assert.deepEqual(
    replies.map(({ body }) => body),
    [{ data: { num_subscribers_added: 1_000 } }, { data: { num_subscribers_added: 1_000 } }],
  );
  assert.equal(replies[1]?.headers.get('idempotency-replayed'), 'true');
  assert.equal((await marketing.take('GET', '/subscribers?items=1')).total_count, 1_000);
});

test('without an agreement nobody is taken in, and whoever is there may still leave', async () => {
  const without = marketingOf(app, await app.createCustomer({ agreement: false }));
  const added = await without.ask('POST', '/subscribers_bulk_create', { subscribers: [{ email: 'ann@example.com' }] });
  const body = { form_id: randomUUID(), email: 'ann@example.com' };
  const received = await without.ask('POST', '/webhooks/receive_paubox_form', body);
  for (const reply of [added, received]) assert.deepEqual(refusalOf(reply), [403, 'agreement_missing', []]);
  await without.take('POST', '/subscriptions/unsubscribe', { search: 'ann' });
});

test('two that add the same people in another order do not wait for each other for ever', async () => {
  const people = Array.from({ length: 30 }, (_, index) => ({ email: `p${index}@example.com` }));
  const replies = await Promise.all([create(people), create(people.toReversed()), create(people)]);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal((await names()).length, 30);
});

test('many people are removed at once, all or none', async () => {
  const ids = [await marketing.addPerson('ann@example.com'), await marketing.addPerson('bob@example.com')];
  const stays = await marketing.addPerson('cy@example.com');
  const remove = (given: string) => marketing.ask('DELETE', `/subscribers_bulk_delete?subscriber_ids=${given}`);
  assert.equal((await remove(`${ids[0]},${randomUUID()}`)).status, 404);
  assert.deepEqual(refusalOf(await remove('')), [400, 'invalid_request', ['subscriber_ids']]);
  assert.equal((await names()).length, 3);
  const { status, body } = await remove(`${ids.join(', ')},`);
  assert.deepEqual([status, body], [200, {}]);
  assert.deepEqual(await names(), ['cy']);
  const left = await rowsOf(app, 'select distinct subscriber_id as id from subscriptions where customer_id = $1', [
    customer.id,
  ]);
  assert.deepEqual(left, [{ id: stays }]);
  const audited = await rowsOf(
    app,
    `select target from audit_log where action = 'subscriber.deleted' and customer_id = $1`,
    [customer.id],
  );
  assert.deepEqual(new Set(audited.map(({ target }) => target)), new Set(ids));
});

test('who is removed from a list stays, and gets nothing more from it', async () => {
  const [news, other] = [await marketing.addList('News'), await marketing.addList('Other')];
  const ids = [];
  for (const name of ['ann', 'bob', 'cy']) ids.push(await marketing.addPerson(`${name}@example.com`, {}, news));
  await marketing.take('POST', '/subscriptions/subscribe', { subscriber_ids: ids, subscription_list_ids: [other] });
  const remove = (people: string[], listId: string) =>
    marketing.ask(
      'DELETE',
      `/subscribers_bulk_delete?subscriber_ids=${people.join(',')}&subscription_list_id=${listId}`,
    );
  const { status, body } = await remove(ids.slice(0, 2), news);
  assert.deepEqual([status, body], [200, {}]);
  const on = (listId: string) => marketing.namesIn(`/subscribers?subscription_list_id=${listId}&order=asc`);
  assert.deepEqual([await on(news), await on(other)], [['cy'], ['ann', 'bob', 'cy']]);
  for (const wrong of ['999999', 'malformed']) {
    assert.deepEqual(refusalOf(await remove(ids, wrong)), [404, 'not_found', ['subscription_list_id']]);
  }
  assert.equal((await names()).length, 3, 'nobody is deleted');
  const audited = await rowsOf(app, `select action from audit_log where action = any($2) and customer_id = $1`, [
    customer.id,
    ['subscriber.deleted', 'subscribers.unsubscribed'],
  ]);
  assert.deepEqual(audited, [{ action: 'subscribers.unsubscribed' }]);
});
