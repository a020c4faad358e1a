import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { acts, addSend, addSubscriber, ask, type Sent } from './sent.ts';

const TABLE = 'analytics/campaign_mailing_deliveries_table';
const [MORNING, EVENING] = ['2026-03-01T08:00:00.000Z', '2026-03-01T20:00:00.000Z'];

let app: TestApp;
let customer: TestCustomer;
let older: Sent;
let newer: Sent;
let ann: string;
let bob: string;
let cy: string;

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  ann = await addSubscriber(app, customer, { email: 'ann@example.com', first_name: 'Ann Marie', last_name: 'Lee' });
  bob = await addSubscriber(app, customer, { email: 'Bob@example.com', first_name: 'Bob', last_name: 'Annan' });
  cy = await addSubscriber(app, customer, { email: 'cy@example.com' });
  older = await addSend(app, customer, [
    { person: ann, state: 'delivered', code: 250, settled: MORNING, opened: EVENING, machineOpens: 2 },
    { person: bob, state: 'bounced', rule: 'hard_bounce', code: 550, settled: EVENING },
    { person: cy, state: 'excluded', rule: 'left_list', settled: MORNING },
  ]);
  newer = await addSend(app, customer, [
    { person: ann, state: 'delivered', settled: EVENING, clicked: EVENING, left: EVENING },
    { person: bob, state: 'suppressed', rule: 'hard_bounce', settled: MORNING },
  ]);
});

/** The addresses and states of the rows that are answered. */
async function rows(path: string, query: object = {}): Promise<string[]> {
  const { body } = await ask(app, customer, path, query);
  return body.data.map((row: { attributes?: object }) => {
    const { email, state } = { ...row, ...row.attributes } as unknown as { email: string; state: string };
    return `${email} ${state}`;
  });
}

test('the ledger is listed by send and person, with what became of each mail and what its reader did', async () => {
  const { body } = await ask(app, customer, 'campaign_mailing_deliveries', { campaign_mailing_send_id: older.sendId });
  assert.deepEqual(body.page_info, { count: 3, pages: 1, page: 1, items: 50 });
  const { id, ...row } = body.data[2];
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(row, {
    type: 'campaign_mailing_delivery',
    attributes: {
      campaign_mailing_send_id: String(older.sendId),
      campaign_mailing_id: String(older.mailingId),
      subscriber_id: ann,
      email: 'ann@example.com',
      state: 'delivered',
      rule: null,
      smtp_code: 250,
      attempts: 1,
      settled_at: MORNING,
      opened_at: EVENING,
      clicked_at: null,
      unsubscribed_at: null,
    },
  });
});

const ALL = [
  'Bob@example.com suppressed',
  'ann@example.com delivered',
  'cy@example.com excluded',
  'Bob@example.com bounced',
  'ann@example.com delivered',
];

test('both lists choose by mailing, send, person, address and state, and page in either order', async () => {
  for (const path of ['campaign_mailing_deliveries', TABLE]) {
    assert.deepEqual(await rows(path), ALL);
    assert.deepEqual(await rows(path, { order: 'asc' }), ALL.toReversed());
    assert.deepEqual(await rows(path, { campaign_mailing_id: newer.mailingId }), ALL.slice(0, 2));
    assert.deepEqual(await rows(path, { subscriber_id: cy }), ['cy@example.com excluded']);
    assert.deepEqual(await rows(path, { email: 'BOB@example.com' }), [ALL[0], ALL[3]]);
    assert.deepEqual(await rows(path, { email: 'bob' }), []);
    assert.deepEqual(await rows(path, { state: 'delivered', email: 'ann@example.com' }), [ALL[1], ALL[4]]);
    assert.deepEqual(await rows(path, { email_type: 'drip' }), []);
    assert.deepEqual(await rows(path, { items: 2, page: 2 }), ALL.slice(2, 4));
    const { body } = await ask(app, customer, path, { state: 'delivered', items: 1 });
    assert.deepEqual(body.page_info, { count: 2, pages: 2, page: 1, items: 1 });
    assert.equal((await ask(app, customer, path)).body.page_info.count, 5);
    assert.equal((await ask(app, customer, path, { email_type: 'drip' })).body.page_info.count, 0);
  }
});

test('a search finds whole addresses and whole words of names', async () => {
  assert.deepEqual(await rows(TABLE, { search: 'lee ANN', order: 'asc' }), [ALL[4], ALL[1]]);
  assert.deepEqual(await rows(TABLE, { search: 'annan' }), [ALL[0], ALL[3]]);
  assert.deepEqual(await rows(TABLE, { search: 'CY@example.com' }), [ALL[2]]);
  for (const none of ['anna', 'example.com', '%', 'ann bob']) assert.deepEqual(await rows(TABLE, { search: none }), []);
});

test('the table adds names and machines, and comes in the order asked for, what is missing last', async () => {
  const query = { campaign_mailing_send_id: older.sendId, order_by: 'opened_at', order: 'desc' };
  const { body } = await ask(app, customer, TABLE, query);
  const { full_name: name, opens, machine_opens: machines, machine_clicks: clicks } = body.data[0];
  assert.deepEqual([name, opens, machines, clicks], ['Ann Marie Lee', 1, 2, 0]);
  assert.equal(body.data[0].opened_at, EVENING);
  assert.equal(body.data[2].opened_at, null);
  assert.deepEqual(await rows(TABLE, { order_by: 'email', order: 'asc', campaign_mailing_send_id: older.sendId }), [
    ALL[4],
    ALL[3],
    ALL[2],
  ]);
  assert.equal((await rows(TABLE, { order_by: 'settled_at', order: 'desc' })).indexOf(ALL[2] as string), 3);
});

test('what is not a state, an order or a page is refused by name, and so are small cells where people are named', async () => {
  const wrong: [string, object][] = [
    ['state', { state: 'lost' }],
    ['order', { order: 'up' }],
    ['order_by', { order_by: 'reply' }],
    ['items', { items: 1001 }],
    ['min_cell', { min_cell: 11 }],
  ];
  for (const [name, query] of wrong) {
    const { status, body } = await ask(app, customer, TABLE, query);
    assert.deepEqual([status, Object.keys(body.details)], [400, [name]]);
  }
  const { body } = await ask(app, customer, TABLE, { min_cell: 11 });
  assert.match(body.error, /names people/);
  assert.equal((await ask(app, customer, TABLE, { search: '\0' })).status, 400);
});

test('somebody who was deleted stays in the ledger without name or address', async () => {
  const leaving = await app.createCustomer();
  const person = await addSubscriber(app, leaving, { email: 'gone@example.com', first_name: 'Gone' });
  await addSend(app, leaving, [{ person, state: 'delivered' }]);
  await app.request('DELETE', `/v1/marketing/subscribers/${person}`, { key: leaving.key });
  const [row] = (await ask(app, leaving, TABLE)).body.data;
  assert.deepEqual([row.subscriber_id, row.email, row.full_name, row.state], [person, null, '', 'delivered']);
});

test('every look at the ledger is written down, and a refused one is not', async () => {
  const looker = await app.createCustomer();
  await ask(app, looker, 'campaign_mailing_deliveries');
  await ask(app, looker, TABLE);
  await ask(app, looker, TABLE, { order_by: 'reply' });
  assert.deepEqual(await acts(app, looker), [
    ['deliveries.listed', null],
    ['report.read', 'campaign_mailing_deliveries_table'],
  ]);
});
