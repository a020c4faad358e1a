import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { importFile } from '../imports/support.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { marketingOf, refusalOf, rowsOf, whileHeld } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

const NUMBER = '+14155550123';
const PEOPLE = `
  select email, phone_number, first_name, unsubscribed_at is not null as out from subscribers where customer_id = $1`;
const MOVE = `update subscribers set email = 'new@example.com' where customer_id = $1`;
const REMOVE = 'delete from subscribers where customer_id = $1';

/** Does something while somebody changes the one person of a customer, and answers whom there is then. */
async function meanwhile(customer: TestCustomer, change: string, work: () => Promise<unknown>) {
  await whileHeld(app, [change, [customer.id]], [work]);
  return rowsOf(app, PEOPLE, [customer.id]);
}

/** A customer with one person, and the doors by which their number alone may come. */
async function ann() {
  const customer = await app.createCustomer();
  const { take, addPerson } = marketingOf(app, customer);
  await addPerson('old@example.com', { phone_number: NUMBER });
  const subscriber = { phone_number: NUMBER, first_name: 'Ann' };
  const doors = {
    one: () => take('POST', '/subscribers', { subscriber }),
    many: () => take('POST', '/subscribers_bulk_create', { subscribers: [subscriber] }),
    file: () => importFile(app, customer, `email,phone,first_name,unsubscribed\n,${NUMBER},Ann,yes\n`),
  };
  return { customer, doors };
}

test('whom a number alone names is the same person when their address changes at that moment', async () => {
  for (const door of ['one', 'many', 'file'] as const) {
    const { customer, doors } = await ann();
    const known = { email: 'new@example.com', phone_number: NUMBER, first_name: 'Ann', out: door === 'file' };
    assert.deepEqual(await meanwhile(customer, MOVE, doors[door]), [known], door);
  }
});

test('who is deleted at the moment in which their number is sent does not come back with their address', async () => {
  for (const door of ['one', 'many', 'file'] as const) {
    const { customer, doors } = await ann();
    const fresh = { email: null, phone_number: NUMBER, first_name: 'Ann', out: door === 'file' };
    assert.deepEqual(await meanwhile(customer, REMOVE, doors[door]), [fresh], door);
  }
});

test('who is deleted at the moment in which they are changed is not there', async () => {
  const { customer } = await ann();
  const { ask } = marketingOf(app, customer);
  const [{ id }] = await rowsOf(app, 'select id from subscribers where customer_id = $1', [customer.id]);
  const changing = async () => {
    const { status, body } = await ask('PATCH', `/subscribers/${id}`, { subscriber: { first_name: 'Ann' } });
    assert.deepEqual([status, body.code], [404, 'not_found']);
  };
  assert.deepEqual(await meanwhile(customer, REMOVE, changing), []);
});

test('who is deleted at the moment in which they are read is not there', async () => {
  const { customer } = await ann();
  const { ask } = marketingOf(app, customer);
  const [{ id }] = await rowsOf(app, 'select id from subscribers where customer_id = $1', [customer.id]);
  const reading = async () =>
    assert.deepEqual(refusalOf(await ask('GET', `/subscribers/${id}`)), [404, 'not_found', ['id']]);
  // Whoever reads them has found them by then, and waits to read their lists.
  const removal = `lock table subscription_lists; delete from subscribers where id = '${id}'`;
  await whileHeld(app, [removal, []], [reading]);
});

test('of a person and a list, whichever is deleted while one is put on the other is named as not there', async () => {
  const { customer } = await ann();
  const { addList, ask, take } = marketingOf(app, customer);
  const [{ id }] = await rowsOf(app, 'select id from subscribers where customer_id = $1', [customer.id]);
  for (const [what, table, name] of [
    ['list', 'subscription_lists', 'subscription_list_id'],
    ['person', 'subscribers', 'subscriber_id'],
  ] as const) {
    const list = await addList('News');
    const gone = what === 'list' ? `/subscription_lists/${list}` : `/subscribers/${id}`;
    const joining = async () => {
      const subscription = { subscription_list_id: list, subscriber_id: id };
      assert.deepEqual(refusalOf(await ask('POST', '/subscriptions', { subscription })), [404, 'not_found', [name]]);
    };
    const held = `select from ${table} where customer_id = $1 for update`;
    await whileHeld(app, [held, [customer.id]], [() => take('DELETE', gone), joining]);
  }
});
