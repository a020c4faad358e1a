import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { type Marketing, marketingOf, refusalOf, rowsOf } from './support.ts';

const NAMES = ['dan', 'ann', 'eve', 'bob', 'cy'];

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
/** By name. */
let ids: Map<string, string>;
let list: string;

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
  list = await marketing.addList('News');
  ids = new Map();
  for (const name of NAMES) {
    const more = {
      first_name: name.toUpperCase(),
      last_name: `Of ${name}`,
      custom_fields: [{ Ward: String(name.length) }],
    };
    ids.set(name, await marketing.addPerson(`${name}@example.com`, more, name < 'cz' ? list : null));
  }
});

const idOf = (name: string) => ids.get(name) as string;

test('people come newest first, in pages, and each page says where it stands', async () => {
  assert.deepEqual(await marketing.namesIn('/subscribers'), NAMES.toReversed());
  const { data, ...rest } = await marketing.take('GET', '/subscribers?items=2&page=2');
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [idOf('eve'), idOf('ann')],
  );
  assert.equal(rest.total_count, 5);
  assert.deepEqual(rest.page_info, { count: 5, pages: 3, page: 2, items: 2 });
  const [person] = data;
  assert.equal(person.type, 'subscriber');
  const { email, full_name: fullName, unsubscribed, phone_number: phone, custom_fields: fields } = person.attributes;
  assert.deepEqual(
    [email, fullName, unsubscribed, phone, fields],
    ['eve@example.com', 'EVE Of eve', false, null, undefined],
  );
});

test('a page beyond the last is empty and says how many there are', async () => {
  for (const query of ['page=4&items=2', 'page=2147483647', 'page=2&search=ann']) {
    const { data, page_info: info } = await marketing.take('GET', `/subscribers?${query}`);
    assert.deepEqual([data, info.count], [[], query.includes('ann') ? 1 : 5], query);
  }
  const { data } = await marketing.take('GET', `/subscribers?page=9&search_after=${idOf('bob')}`);
  assert.equal(data.length, 3);
});

test('search_after goes on where a page ended, whoever joins meanwhile', async () => {
  const seen: string[] = [];
  let after = '';
  for (;;) {
    const page = await marketing.take('GET', `/subscribers?items=2&order=asc${after}`);
    seen.push(...page.data.map(({ id }: { id: string }) => id));
    if (page.search_after === null) break;
    after = `&search_after=${page.search_after}`;
  }
  assert.deepEqual(seen, NAMES.map(idOf));
  const wrong = await marketing.ask('GET', '/subscribers?search_after=x');
  assert.deepEqual(refusalOf(wrong), [400, 'invalid_request', ['search_after']]);
});

test('in the order of names, those without one come last', async () => {
  const nameless = await marketing.addPerson('nameless@example.com');
  for (const by of ['first_name', 'last_name']) {
    for (const order of ['asc', 'desc']) {
      const names = await marketing.namesIn(`/subscribers?order_by=${by}&order=${order}`);
      assert.deepEqual(names.at(-1), 'nameless', `${by} ${order}`);
    }
  }
  await marketing.take('DELETE', `/subscribers/${nameless}`);
});

test('people are found, filtered and put in order', async () => {
  const names = (query: string) => marketing.namesIn(`/subscribers?${query}`);
  assert.deepEqual(await names('search=of%20B'), ['bob']);
  assert.deepEqual(await names('search=%25'), []);
  assert.deepEqual(await names('search=*&order_by=email&order=asc'), NAMES.toSorted());
  assert.deepEqual(await names('order_by=email&order=asc'), NAMES.toSorted());
  assert.deepEqual(await names('order_by=first_name&order=desc&items=2'), ['eve', 'dan']);
  assert.deepEqual(await names(`subscription_list_id=${list}&order_by=last_name&order=asc`), ['ann', 'bob', 'cy']);
  const filters = JSON.stringify([[{ field: 'Ward', op: 'is', terms: ['2'] }]]);
  assert.deepEqual(await names(`filters=${encodeURIComponent(filters)}`), ['cy']);
  const { data: segment } = await marketing.take('POST', '/dynamic_lists', { name: 'Three', rule: 'Ward is "3"' });
  assert.deepEqual(await names(`dynamic_list_id=${segment.id}&subscription_list_id=${list}`), ['bob', 'ann']);
  for (const query of ['items=0', 'items=1001', 'page=x', 'order_by=colour', 'order=up']) {
    assert.equal((await marketing.ask('GET', `/subscribers?${query}`)).status, 400, query);
  }
});

test('a search has as many words as a name may have, in capitals or not, and no more', async () => {
  const names = (words: string) => marketing.namesIn(`/subscribers?search=${encodeURIComponent(words)}`);
  const many = Array.from({ length: 21 }, (_, at) => `b${at}`);
  assert.deepEqual(await names('BOB  of\tbob @Example.COM'), ['bob']);
  assert.deepEqual(await names('bob \\ %'), []);
  assert.deepEqual(await names('e '.repeat(499)), NAMES.toReversed());
  assert.deepEqual(await names(many.slice(1).join(' ')), []);
  const refused = await marketing.ask('GET', `/subscribers?search=${many.join('+')}`);
  assert.deepEqual(refusalOf(refused), [400, 'invalid_request', ['search']]);
});

test('statistics are there where they are asked for', async () => {
  const none = { deliveries: 0, delivered: 0, opened: 0, clicked: 0, soft_bounced: 0, hard_bounced: 0 };
  const statistics = { ...none, unsubscribed: 0, global_unsubscribed: 0 };
  const { data } = await marketing.take('GET', '/subscribers?with_stats=true&items=1');
  assert.deepEqual(data[0].attributes.statistics, statistics);
  const { data: one } = await marketing.take('GET', `/subscribers/${idOf('ann')}?with_stats=1`);
  assert.deepEqual(one.attributes.statistics, statistics);
  const { data: plain } = await marketing.take('GET', `/subscribers/${idOf('ann')}?subscription_list_id=${list}`);
  assert.equal(plain.attributes.statistics, undefined);
  assert.deepEqual(
    plain.attributes.subscription_lists.map(({ id }: { id: string }) => id),
    [list],
  );
});

test('whether somebody is out of a list is told where the list is named', async () => {
  const id = await marketing.addPerson('ned@example.com', {}, list);
  const isOut = async (query: string) =>
    (await marketing.take('GET', `/subscribers/${id}${query}`)).data.attributes.unsubscribed;
  const ofList = `?subscription_list_id=${list}`;
  assert.deepEqual([await isOut(''), await isOut(ofList)], [false, false]);
  const leaving = { subscriber_ids: [id], subscription_list_ids: [list] };
  await marketing.take('POST', '/subscriptions/unsubscribe', leaving);
  assert.deepEqual([await isOut(''), await isOut(ofList)], [false, true]);
  await marketing.take('POST', '/subscriptions/subscribe', leaving);
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [id] });
  assert.deepEqual([await isOut(''), await isOut(ofList)], [true, true]);
  await marketing.take('DELETE', `/subscribers/${id}`);
});

test('a change answers all that reading somebody answers, as they are after it', async () => {
  const id = await marketing.addPerson('gil@example.com', { custom_fields: [{ Ward: '1' }] }, list);
  const body = { subscriber: { last_name: 'Gray', custom_fields: [{ Ward: '2' }, { Floor: '3' }] } };
  for (const method of ['PUT', 'PATCH']) {
    for (const query of ['', '?with_stats=true', `?with_stats=1&subscription_list_id=${list}`]) {
      const { data } = await marketing.take(method, `/subscribers/${id}${query}`, body);
      assert.deepEqual(data, (await marketing.take('GET', `/subscribers/${id}${query}`)).data, method + query);
      assert.deepEqual(
        data.attributes.custom_fields.map(({ name, value }: { name: string; value: string }) => [name, value]),
        [
          ['Ward', '2'],
          ['Floor', '3'],
        ],
      );
      assert.equal(data.attributes.subscription_lists.length, query.includes('list') ? 1 : 2);
    }
  }
  const unknown = await marketing.ask('PATCH', `/subscribers/${id}?subscription_list_id=999999`, {
    subscriber: { last_name: 'Green' },
  });
  assert.deepEqual(refusalOf(unknown), [404, 'not_found', ['subscription_list_id']]);
  assert.equal((await marketing.take('GET', `/subscribers/${id}`)).data.attributes.last_name, 'Gray');
  await marketing.take('DELETE', `/subscribers/${id}`);
});

test('a change puts somebody on a list, unless they have left it or opted out', async () => {
  const more = await marketing.addList('More');
  const people = [];
  for (const name of ['kim', 'lou', 'max']) people.push(await marketing.addPerson(`${name}@example.com`));
  const [kim, lou, max] = people as [string, string, string];
  const [left, out] = [{ subscriber_ids: [lou], subscription_list_ids: [more] }, { subscriber_ids: [max] }];
  await marketing.take('POST', '/subscriptions/subscribe', left);
  await marketing.take('POST', '/subscriptions/unsubscribe', left);
  await marketing.take('POST', '/subscriptions/unsubscribe', out);
  for (const id of [kim, lou, max]) {
    const body = { subscriber: { last_name: 'Gray' }, subscription_list_id: more };
    const { data } = await marketing.take('PATCH', `/subscribers/${id}`, body);
    assert.equal(data.attributes.last_name, 'Gray');
  }
  assert.deepEqual(await marketing.namesIn(`/subscribers?subscription_list_id=${more}`), ['kim']);
  const body = { subscriber: { last_name: 'Green' }, subscription_list_id: '999999' };
  const unknown = await marketing.ask('PUT', `/subscribers/${kim}`, body);
  assert.deepEqual(refusalOf(unknown), [404, 'not_found', ['subscription_list_id']]);
  assert.equal((await marketing.take('GET', `/subscribers/${kim}`)).data.attributes.last_name, 'Gray');
  for (const id of people) await marketing.take('DELETE', `/subscribers/${id}`);
  await marketing.take('DELETE', `/subscription_lists/${more}`);
});

test('somebody is changed, keeps what was not sent, and is deleted by number as well', async () => {
  const id = await marketing.addPerson('flo@example.com', { first_name: 'Flo', phone_number: '+1 415 555 0123' });
  for (const method of ['PUT', 'PATCH']) {
    const { data } = await marketing.take(method, `/subscribers/${id}`, {
      subscriber: { last_name: method, phone_number: null },
    });
    const { first_name: first, last_name: last, phone_number: phone } = data.attributes;
    assert.deepEqual([first, last, phone], ['Flo', method, null]);
  }
  const taken = await marketing.ask('PATCH', `/subscribers/${id}`, { subscriber: { email: 'ANN@example.com' } });
  assert.deepEqual(refusalOf(taken), [409, 'conflict', ['subscriber.email']]);
  const bare = await marketing.ask('PATCH', `/subscribers/${id}`, { subscriber: { email: null } });
  assert.deepEqual(refusalOf(bare), [422, 'unprocessable', ['subscriber.email']]);
  const [{ number }] = await rowsOf(app, 'select number from subscribers where id = $1', [id]);
  assert.deepEqual(await marketing.take('DELETE', `/subscribers/${number}`), {});
  assert.equal((await marketing.ask('GET', `/subscribers/${id}`)).status, 404);
  assert.deepEqual(await rowsOf(app, 'select from subscriptions where subscriber_id = $1', [id]), []);
});

test('how many get what is sent', async () => {
  assert.equal((await marketing.take('GET', '/subscribers/subscribed_count')).data, 5);
  assert.equal((await marketing.take('GET', `/subscribers/subscribed_count?subscription_list_id=${list}`)).data, 3);
});

async function search(body: object): Promise<[names: string[], count: number]> {
  const { data, page_info: page } = await marketing.take('POST', '/subscribers/search', body);
  const names = data.map(({ attributes }: { attributes: { first_name: string } }) => attributes.first_name);
  return [names, page.count];
}

test('what is searched for may stand in a body, where no log sees it', async () => {
  const byName = { order_by: 'first_name', order: 'asc' };
  assert.deepEqual(await search({ ...byName, items: 2, page: 2 }), [['CY', 'DAN'], 5]);
  assert.deepEqual(await search({ search: 'eve@example' }), [['EVE'], 1]);
  assert.deepEqual(await search({ ...byName, subscription_list_id: list }), [['ANN', 'BOB', 'CY'], 3]);
  const filters = [[{ field: 'first_name', op: 'is', terms: ['dan'] }]];
  for (const wire of [filters, JSON.stringify(filters)])
    assert.deepEqual(await search({ filters: wire }), [['DAN'], 1]);
  for (const body of [{ page: 0 }, { items: 1_001 }, { order_by: 'age' }, { filters: 7 }]) {
    assert.equal((await marketing.ask('POST', '/subscribers/search', body)).status, 400);
  }
});
