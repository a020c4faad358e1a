import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { type Marketing, marketingOf, refusalOf, rowsOf } from './support.ts';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
let list: string;

before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
  list = await marketing.addList('News');
});

const numberOf = async (id: string) =>
  (await rowsOf(app, 'select number::int from subscribers where id = $1', [id]))[0].number as number;
const join = async (subscriberId: string | number, listId: string | number = list) =>
  (
    await marketing.take('POST', '/subscriptions', {
      subscription: { subscription_list_id: listId, subscriber_id: subscriberId },
    })
  ).data;
const suppressed = () => rowsOf(app, 'select reason from suppressions where customer_id = $1', [customer.id]);
const countOf = async (id: string) =>
  (await marketing.take('GET', `/subscription_lists/${id}`)).data.attributes.subscriber_count;

test('somebody is put on a list by UUID or by number, and again changes nothing', async () => {
  const ann = await marketing.addPerson('ann@example.com');
  const number = await numberOf(ann);
  const made = await join(ann);
  const { created_at: at, ...attributes } = made.attributes;
  assert.equal(made.type, 'subscription');
  assert.match(at, /Z$/);
  const expected = { subscription_list_id: list, subscriber_id: number, subscriber_uuid: ann };
  assert.deepEqual(attributes, { ...expected, pending: false, unsubscribed_at: null });
  for (const id of [number, String(number), ann.toUpperCase()]) assert.deepEqual(await join(id, Number(list)), made);
  assert.deepEqual((await marketing.take('GET', `/subscriptions/${made.id}`)).data, made);
  assert.equal(await countOf(list), 1);
  const [{ count }] = await rowsOf(
    app,
    `select count(*)::int from consent_changes where subscriber_id = $1 and subscription_list_id = $2`,
    [ann, list],
  );
  assert.equal(count, 1);
});

test('who leaves is remembered, and comes back when asked', async () => {
  const ann = await marketing.addPerson('ann@example.com');
  const { id } = await join(ann);
  assert.deepEqual(await marketing.take('DELETE', `/subscriptions/${id}`), {});
  const { data: left } = await marketing.take('GET', `/subscriptions/${id}`);
  assert.match(left.attributes.unsubscribed_at, /Z$/);
  assert.equal(await countOf(list), 0);
  await marketing.take('DELETE', `/subscriptions/${id}`);
  assert.deepEqual((await marketing.take('GET', `/subscriptions/${id}`)).data, left);
  await marketing.addPerson('ann@example.com', {}, list);
  assert.equal(await countOf(list), 0, 'an upsert brings nobody back');
  assert.equal((await join(ann)).attributes.unsubscribed_at, null);
  assert.equal(await countOf(list), 1);
  const changes = await rowsOf(
    app,
    `select change, source, evidence->>'actor' as actor from consent_changes
     where subscriber_id = $1 and subscription_list_id = $2 order by at, change`,
    [ann, list],
  );
  assert.deepEqual(
    changes.map(({ change }) => change),
    ['joined', 'left', 'joined'],
  );
  assert.ok(changes.every(({ source, actor }) => source === 'api' && actor === `key/${customer.keyId}`));
});

test('being put on a list takes an opt-out back, also for the address', async () => {
  const ann = await marketing.addPerson('ann@example.com');
  await marketing.take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [ann] });
  assert.deepEqual(await suppressed(), [{ reason: 'opt_out' }]);
  await join(ann);
  assert.equal((await marketing.take('GET', `/subscribers/${ann}`)).data.attributes.unsubscribed, false);
  assert.deepEqual(await suppressed(), []);
  assert.deepEqual([await countOf(list), await countOf('default')], [1, 1]);
});

test('being put on a list takes nothing back but an opt-out: an address that gets no mail at all still gets none', async () => {
  const ann = await marketing.addPerson('ann@example.com');
  const stop = { key: customer.key, body: { address: 'ann@example.com', reason: 'manual' } };
  assert.equal((await app.request('POST', '/v1/email/suppressions', stop)).status, 200);
  await marketing.take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [ann] });
  await join(ann);
  assert.deepEqual(await suppressed(), [{ reason: 'manual' }]);
});

test('who opted out is out when they are deleted and saved anew, until they are put on a list', async () => {
  const ann = await marketing.addPerson('ann@example.com');
  await marketing.take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [ann] });
  await marketing.take('DELETE', `/subscribers/${ann}`);
  const { data } = await marketing.take('POST', '/subscribers', {
    subscriber: { email: 'Ann@example.com' },
    subscription_list_id: list,
  });
  assert.equal(data.attributes.unsubscribed, true);
  assert.deepEqual([await countOf(list), await countOf('default')], [0, 0]);
  await join(data.id);
  assert.equal((await marketing.take('GET', `/subscribers/${data.id}`)).data.attributes.unsubscribed, false);
  assert.deepEqual([await countOf(list), await countOf('default')], [1, 1]);
});

test('a list with double opt-in has somebody pending', async () => {
  const strict = await marketing.addList('Strict', { double_opt_in: true });
  const made = await join(await marketing.addPerson('ann@example.com'), strict);
  assert.equal(made.attributes.pending, true);
  assert.equal(await countOf(strict), 0);
});

test('subscriptions are listed in pages, by person and by list', async () => {
  const [ann, bob] = [await marketing.addPerson('ann@example.com'), await marketing.addPerson('bob@example.com')];
  await join(ann);
  await join(bob);
  const all = await marketing.take('GET', '/subscriptions');
  assert.deepEqual(all.page_info, { count: 4, pages: 1, page: 1, items: 1000 });
  const peopleOf = async (query: string) =>
    (await marketing.take('GET', `/subscriptions?${query}`)).data.map(
      ({ attributes }: { attributes: { subscriber_uuid: string } }) => attributes.subscriber_uuid,
    );
  assert.deepEqual(await peopleOf(`subscription_list_id=${list}`), [ann, bob]);
  assert.deepEqual(await peopleOf(`subscription_list_id=${list}&items=1&page=2`), [bob]);
  assert.deepEqual(await peopleOf(`subscriber_id=${await numberOf(ann)}`), [ann, ann]);
  assert.deepEqual(refusalOf(await marketing.ask('GET', '/subscriptions?items=1001')), [
    400,
    'invalid_request',
    ['items'],
  ]);
});

test('a body without ids is refused', async () => {
  for (const subscription of [
    {},
    { subscription_list_id: list },
    { subscriber_id: 1 },
    { subscription_list_id: [], subscriber_id: 1 },
  ]) {
    assert.equal((await marketing.ask('POST', '/subscriptions', { subscription })).status, 400);
  }
  const subscription = { subscription_list_id: '', subscriber_id: await marketing.addPerson('ann@example.com') };
  assert.equal((await marketing.ask('POST', '/subscriptions', { subscription })).status, 400);
});
