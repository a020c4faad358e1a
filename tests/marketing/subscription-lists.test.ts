import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { type Marketing, marketingOf, refusalOf, whileHeld } from './support.ts';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;

before(async (t) => {
  app = await startApp(t as TestContext);
});

async function begin(): Promise<void> {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
}

const attributesOf = async (id: string) => (await marketing.take('GET', `/subscription_lists/${id}`)).data.attributes;

test('there is a default list from the start, which can be renamed and not deleted', async () => {
  await begin();
  const { data } = await marketing.take('GET', '/subscription_lists');
  assert.equal(data.length, 1);
  const [only] = data;
  assert.match(only.id, /^\d+$/);
  assert.equal(only.type, 'subscription_list');
  assert.deepEqual([only.attributes.is_default, only.attributes.subscriber_count], [true, 0]);
  await marketing.addPerson('ann@example.com');
  assert.equal((await attributesOf('default')).subscriber_count, 1);
  await marketing.take('PUT', '/subscription_lists/default', { name: 'Everybody' });
  assert.equal((await attributesOf(only.id)).name, 'Everybody');
  assert.deepEqual(refusalOf(await marketing.ask('DELETE', '/subscription_lists/default')), [
    422,
    'unprocessable',
    ['id'],
  ]);
});

test('a list is made, changed and deleted; its people stay', async () => {
  await begin();
  const { data: made } = await marketing.take('POST', '/subscription_lists', {
    subscription_list: { name: ' News ', double_opt_in: 'true', consent_text: 'I want news' },
  });
  const { created_at: at, updated_at, ...attributes } = made.attributes;
  assert.match(at, /Z$/);
  assert.equal(updated_at, at);
  const expected = { name: 'News', is_default: false, subscriber_count: 0, form_id: null, double_opt_in: true };
  assert.deepEqual(attributes, { ...expected, consent_text: 'I want news' });
  const formId = await addForm(app, customer.id, { subscription_list_id: Number(made.id) });
  assert.equal((await attributesOf(made.id)).form_id, formId);
  await marketing.take('PATCH', `/subscription_lists/${made.id}`, { double_opt_in: false, consent_text: '' });
  const changed = await attributesOf(made.id);
  assert.deepEqual([changed.name, changed.double_opt_in, changed.consent_text], ['News', false, null]);
  await marketing.addPerson('ann@example.com', {}, made.id);
  assert.equal((await attributesOf(made.id)).subscriber_count, 1);
  assert.deepEqual(await marketing.take('DELETE', `/subscription_lists/${made.id}`), {});
  assert.equal((await marketing.ask('GET', `/subscription_lists/${made.id}`)).status, 404);
  assert.deepEqual(await marketing.namesIn('/subscribers'), ['ann']);
  assert.equal((await marketing.take('GET', '/subscriptions')).page_info.count, 1);
});

test('a list that is deleted at the moment in which it is deleted or changed is not there', async () => {
  await begin();
  for (const [method, body] of [['DELETE'], ['PATCH', { name: 'Old' }]] as const) {
    const path = `/subscription_lists/${await marketing.addList('News')}`;
    const second = async () =>
      assert.deepEqual(refusalOf(await marketing.ask(method, path, body)), [404, 'not_found', ['id']], method);
    const held = 'select from subscription_lists where customer_id = $1 for update';
    await whileHeld(app, [held, [customer.id]], [() => marketing.take('DELETE', path), second]);
  }
});

test('whoever joins a list with double opt-in does not count before they confirm', async () => {
  await begin();
  const list = await marketing.addList('News', { double_opt_in: true });
  const person = await marketing.addPerson('ann@example.com', {}, list);
  assert.equal((await attributesOf(list)).subscriber_count, 0);
  const { data } = await marketing.take('GET', `/subscribers/${person}`);
  const { pending, unsubscribed } = data.attributes.subscription_lists.find(({ id }: { id: string }) => id === list);
  assert.deepEqual([pending, unsubscribed], [true, false]);
});

test('lists come all at once, or in pages where that is asked for', async () => {
  await begin();
  for (let number = 10; number < 22; number += 1) await marketing.addList(`List ${number}`);
  const all = await marketing.take('GET', '/subscription_lists?items=2');
  assert.equal(all.data.length, 13);
  assert.equal(all.page_info, undefined);
  const paged = await marketing.take('GET', '/subscription_lists?use_pagination=true');
  assert.equal(paged.data.length, 10);
  assert.deepEqual(paged.page_info, { count: 13, pages: 2, page: 1, items: 10 });
  const query = '?use_pagination=true&search=LIST&order_by=name&order=asc&page=2&items=5&with_stats=true';
  const second = await marketing.take('GET', `/subscription_lists${query}`);
  assert.deepEqual(
    second.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
    ['List 15', 'List 16', 'List 17', 'List 18', 'List 19'],
  );
  assert.deepEqual(second.page_info, { count: 12, pages: 3, page: 2, items: 5 });
  assert.deepEqual(refusalOf(await marketing.ask('GET', '/subscription_lists?order_by=colour')), [
    400,
    'invalid_request',
    ['order_by'],
  ]);
});

test('a name is needed, is not too long and is not the word that stands for the default list', async () => {
  await begin();
  const refusals: [object, number][] = [
    [{}, 400],
    [{ name: ' ' }, 422],
    [{ name: 'Default' }, 422],
    [{ name: 'x'.repeat(201) }, 400],
  ];
  for (const [body, status] of refusals) {
    const reply = await marketing.ask('POST', '/subscription_lists', body);
    assert.deepEqual([reply.status, Object.keys(reply.body.details)], [status, ['name']]);
  }
});

test('the key tells whose it is', async () => {
  await begin();
  const data = { id: String(customer.id), type: 'customer', attributes: { name: customer.username } };
  assert.deepEqual(await marketing.take('GET', '/current_customer'), { data });
});
