import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { assertRefused, type Calls, callsOf } from './calls.ts';

const clock = createMovableClock();
const holding = (part: string) => [[{ field: 'email', op: 'contains', terms: [part] }]];

let app: TestApp;
let call: Calls['call'];

before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

/** Three people; a list of two of them, dynamic lists of one and of three, and the default list of all three. */
beforeEach(async () => {
  const { addPerson, create, ...calls } = callsOf(app, await app.createCustomer());
  call = calls.call;
  const people = [];
  for (const name of ['ann', 'ben', 'cat']) people.push(await addPerson({ email: `${name}@example.org` }));
  clock.advance(1_000);
  await create({ name: 'three', filters: holding('example') });
  clock.advance(1_000);
  await create({ name: 'One', filters: holding('ann') });
  clock.advance(1_000);
  const { id } = (await call('POST', '/subscription_lists', { name: 'Two' })).body.data;
  const subscribing = { subscriber_ids: people.slice(0, 2), subscription_list_ids: [id] };
  assert.equal((await call('POST', '/subscriptions/subscribe', subscribing)).status, 200);
});

async function take(path: string) {
  const { status, body } = await call('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function shown(path: string): Promise<string[]> {
  const { data } = await take(path);
  return data.map(
    ({ type, attributes }: { type: string; attributes: { name: string; subscriber_count: number } }) =>
      `${type} ${attributes.name} ${attributes.subscriber_count}`,
  );
}

const ALL = 'subscription_list All subscribers 3';
const ONE = 'dynamic_list One 1';
const TWO = 'subscription_list Two 2';
const THREE = 'dynamic_list three 3';

test('lists of both kinds stand together, searched, in order and by the page', async () => {
  assert.deepEqual(await shown('/lists'), [TWO, ONE, THREE, ALL]);
  assert.deepEqual(await shown('/lists?order=asc'), [ALL, THREE, ONE, TWO]);
  assert.deepEqual(await shown('/lists?order_by=name&order=asc'), [ALL, ONE, THREE, TWO]);
  assert.deepEqual(await shown('/lists?order_by=subscriber_count&search=t&order=asc'), [TWO, THREE]);
  assert.deepEqual((await shown('/lists?order_by=subscriber_count&order=asc')).slice(0, 2), [ONE, TWO]);
  const second = '/lists?order_by=name&order=desc&use_pagination=true&items=2&page=2';
  assert.deepEqual(await shown(second), [ONE, ALL]);
  assert.deepEqual((await take(second)).page_info, { count: 4, pages: 2, page: 2, items: 2 });
  assert.deepEqual(await shown('/lists?order_by=subscriber_count&order=asc&use_pagination=true&items=2'), [ONE, TWO]);
  assert.equal((await take('/lists')).page_info, undefined);
  for (const query of ['order_by=filters', 'order=up', 'search=%00', 'items=1001']) {
    assertRefused(await call('GET', `/lists?${query}`), 400);
  }
});

test('a page of each kind of list is as long as one asks for, up to a thousand', async () => {
  for (const path of ['/lists', '/dynamic_lists', '/subscription_lists']) {
    const { page_info: info } = await take(`${path}?use_pagination=true&items=1000`);
    assert.equal(info.items, 1_000, path);
    assertRefused(await call('GET', `${path}?use_pagination=true&items=1001`), 400);
  }
});

test('somebody without any list has the default one', async () => {
  ({ call } = callsOf(app, await app.createCustomer()));
  assert.deepEqual(await shown('/lists'), ['subscription_list All subscribers 0']);
});

test('dynamic lists go by how many people they hold', async () => {
  assert.deepEqual(await shown('/dynamic_lists?order_by=subscriber_count'), [THREE, ONE]);
  assert.deepEqual(await shown('/dynamic_lists?order_by=subscriber_count&order=asc'), [ONE, THREE]);
  assert.deepEqual(await shown('/dynamic_lists?order_by=subscriber_count&use_pagination=true&items=1'), [THREE]);
});
