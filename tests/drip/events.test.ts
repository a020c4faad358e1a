import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { type Marketing, marketingOf, refusalOf, rowsOf } from '../marketing/support.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addInterestedDrip, takeFacts } from './facts.ts';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
let ann: string;
let ben: string;

before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
  [ann, ben] = [await marketing.addPerson('Ann@example.com'), await marketing.addPerson('ben@example.com')];
  await addInterestedDrip(app, customer, ['custom', 'visit.booked-1_A']);
});

const facts = async () => (await takeFacts(app, customer)).toSorted();
const tell = (body: object) => marketing.ask('POST', '/drip_events', { event: 'visit.booked-1_A', ...body });
const told = (name: string) => `custom visit.booked-1_A ${name}`;

test('an event happens to somebody by id, by number or by address, or to many at once', async () => {
  const [row] = await rowsOf(app, 'select number from subscribers where id = $1', [ben]);
  const asked: [object, string[]][] = [
    [{ subscriber_id: ann.toUpperCase() }, ['Ann']],
    [{ subscriber_id: Number(row.number) }, ['ben']],
    [{ email: ' ann@EXAMPLE.com ' }, ['Ann']],
    [{ subscriber_ids: [ann, ben, ann] }, ['Ann', 'ben']],
    [{ subscriber_id: ann, subscriber_ids: [ben], email: 'ben@example.com' }, ['Ann', 'ben']],
    [{ subscriber_ids: [] }, []],
  ];
  for (const [body, names] of asked) {
    const reply = await tell(body);
    assert.deepEqual([reply.status, reply.body], [200, { data: { told: names.length } }], JSON.stringify(body));
    assert.deepEqual(await facts(), names.map(told));
  }
});

test('an event that no drip waits for is taken and leaves nothing but the audit', async () => {
  const reply = await tell({ event: 'unheard', subscriber_id: ann });
  assert.deepEqual(reply.body, { data: { told: 1 } });
  assert.deepEqual(await facts(), []);
  const audited = await rowsOf(
    app,
    `select target, details from audit_log where customer_id = $1 and action = 'drip_event.told'`,
    [customer.id],
  );
  assert.deepEqual(audited, [{ target: null, details: { event: 'unheard', people: 1 } }]);
});

test('nobody is told of where one of them is unknown or another customer’s, and no address comes back', async () => {
  const stranger = await app.createCustomer();
  const foreign = await marketingOf(app, stranger).addPerson('eve@example.com');
  for (const body of [{ subscriber_id: foreign }, { subscriber_ids: [ann, foreign] }]) {
    assert.deepEqual((await tell(body)).status, 403);
  }
  for (const body of [{ subscriber_id: randomUUID() }, { subscriber_ids: [ann, 'nobody'] }]) {
    assert.equal((await tell(body)).status, 404);
  }
  const unknown = await tell({ subscriber_id: ann, email: 'eve@example.com' });
  assert.deepEqual([unknown.status, unknown.body.error], [404, 'email: no such subscriber']);
  assert.deepEqual([await facts(), await takeFacts(app, stranger)], [[], []]);
});

test('a name that is none, nobody and too many are refused by field', async () => {
  for (const event of ['', 'a b', 'ä', 'a'.repeat(65), 'a\n']) {
    assert.deepEqual(refusalOf(await tell({ event, subscriber_id: ann })), [400, 'invalid_request', ['event']], event);
  }
  for (const body of [{}, { subscriber_id: null, subscriber_ids: null, email: ' ' }]) {
    assert.deepEqual(refusalOf(await tell(body)), [400, 'invalid_request', ['subscriber_id']]);
  }
  const many = Array.from({ length: 1_001 }, () => ann);
  assert.deepEqual(refusalOf(await tell({ subscriber_ids: many })), [422, 'unprocessable', ['subscriber_ids']]);
  assert.equal((await tell({ subscriber_ids: many.slice(1) })).status, 200);
  assert.deepEqual(await facts(), [told('Ann')]);
});

test('an event under an Idempotency-Key happens once', async () => {
  const body = { event: 'visit.booked-1_A', email: 'ann@example.com' };
  const once = () =>
    app.request('POST', '/v1/marketing/drip_events', {
      key: customer.key,
      headers: { 'idempotency-key': 'visit 7' },
      body,
    });
  const [first, second] = [await once(), await once()];
  assert.deepEqual([first.body, second.body], [{ data: { told: 1 } }, { data: { told: 1 } }]);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(await facts(), [told('Ann')]);
});
