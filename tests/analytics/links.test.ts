import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addMailing, addSend, addSubscriber, ask, type Sent } from './sent.ts';

const BY_URL = 'analytics/tracking_links_by_unique_link';
const CLICKERS = 'analytics/subscribers_by_tracking_link';
const [HOME, BOOK] = ['https://clinic.test/?a=1&b=2', 'https://clinic.test/book'];
const AT = '2026-03-01T08:00:00.000Z';
const LATER = '2026-03-02T08:00:00.000Z';

let app: TestApp;
let customer: TestCustomer;
let first: Sent;
let second: Sent;
let ann: string;
let bob: string;

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  ann = await addSubscriber(app, customer, { email: 'ann@example.com', first_name: 'Ann' });
  bob = await addSubscriber(app, customer, { email: 'bob@example.com', first_name: 'Bob' });
  const mailingId = await addMailing(app, customer);
  const clicked = { state: 'delivered', clicked: AT };
  first = await addSend(
    app,
    customer,
    [
      { person: ann, ...clicked, clicks: { 0: 3, 1: 1 } },
      { person: bob, ...clicked, clicked: LATER, clicks: { 0: 1 } },
    ],
    { mailingId, targets: [HOME, BOOK] },
  );
  // The same links the other way round, and one of them twice.
  second = await addSend(app, customer, [{ person: ann, ...clicked, clicks: { 0: 5, 1: 2, 2: 1 } }], {
    mailingId,
    targets: [BOOK, HOME, BOOK],
  });
});

const ids = ({ body }: Reply): number[] => body.data.map(({ id }: { id: string }) => Number(id));

test('the links of sends are listed, newest send first, with where they lead and how often they were followed', async () => {
  const { body } = await ask(app, customer, 'tracking_links', { campaign_mailing_send_id: first.sendId });
  assert.deepEqual(body.data, [
    {
      id: String(first.linkIds[0]),
      type: 'tracking_link',
      attributes: {
        campaign_mailing_send_id: String(first.sendId),
        html_id: 'link-0',
        url: HOME,
        clicks: 4,
        unique_clicks: 2,
        created_at: '2026-01-01T00:00:00.000Z',
      },
    },
    {
      id: String(first.linkIds[1]),
      type: 'tracking_link',
      attributes: {
        campaign_mailing_send_id: String(first.sendId),
        html_id: 'link-1',
        url: BOOK,
        clicks: 1,
        unique_clicks: 1,
        created_at: '2026-01-01T00:00:00.000Z',
      },
    },
  ]);
  const all = [...second.linkIds, ...first.linkIds];
  assert.deepEqual(ids(await ask(app, customer, 'tracking_links', { campaign_mailing_id: first.mailingId })), all);
  const page = await ask(app, customer, 'tracking_links', { items: 2, page: 2 });
  assert.deepEqual(ids(page), all.slice(2, 4));
  assert.deepEqual(page.body.page_info, { count: 5, pages: 3, page: 2, items: 2 });
  assert.deepEqual((await ask(app, customer, 'tracking_links', { email_type: 'drip' })).body.data, []);
});

test('links that lead to one place are one row, and whoever followed several of them is one person', async () => {
  const rows = {
    book: {
      url: BOOK,
      tracking_link_ids: [first.linkIds[1], second.linkIds[0], second.linkIds[2]].map(String),
      clicks: 7,
      unique_clicks: 1,
    },
    home: {
      url: HOME,
      tracking_link_ids: [first.linkIds[0], second.linkIds[1]].map(String),
      clicks: 6,
      unique_clicks: 2,
    },
  };
  const told = async (query: object) =>
    (await ask(app, customer, BY_URL, { campaign_mailing_id: first.mailingId, ...query })).body.data;
  assert.deepEqual(await told({}), [rows.book, rows.home]);
  assert.deepEqual(await told({ order_by: 'unique_clicks' }), [rows.home, rows.book]);
  assert.deepEqual(await told({ order_by: 'url', order: 'asc', items: 1, page: 2 }), [rows.book]);
  assert.deepEqual(await told({ order_by: 'created_at' }), [rows.book, rows.home]);
  assert.deepEqual(await told({ order_by: 'created_at', order: 'asc' }), [rows.home, rows.book]);
  assert.deepEqual(await told({ search: 'BOOK' }), [rows.book]);
  const [only] = await told({ campaign_mailing_send_id: first.sendId, search: 'book' });
  assert.deepEqual([only.clicks, only.unique_clicks], [1, 1]);
  assert.deepEqual(await told({ min_cell: 2, order_by: 'url' }), [
    { ...rows.book, unique_clicks: null, small_cells_suppressed: true },
    rows.home,
  ]);
  const { status, body } = await ask(app, customer, BY_URL);
  assert.deepEqual([status, Object.keys(body.details)], [400, ['campaign_mailing_id']]);
});

test('who followed a link is told by its id, or by its send and name', async () => {
  const annRow = { subscriber_id: ann, email: 'ann@example.com', full_name: 'Ann', clicks: 3, first_at: AT };
  const bobRow = { subscriber_id: bob, email: 'bob@example.com', full_name: 'Bob', clicks: 1, first_at: LATER };
  const link = { tracking_link_id: first.linkIds[0] };
  const named = { html_id: 'link-0', campaign_mailing_send_id: first.sendId };
  for (const query of [link, named, { ...link, ...named }]) {
    const { body } = await ask(app, customer, CLICKERS, query);
    assert.deepEqual(body, { data: [bobRow, annRow], page_info: { count: 2, pages: 1, page: 1, items: 50 } });
  }
  const told = async (query: object) => (await ask(app, customer, CLICKERS, { ...link, ...query })).body.data;
  assert.deepEqual(await told({ order_by: 'clicks' }), [annRow, bobRow]);
  assert.deepEqual(await told({ order_by: 'email', order: 'desc', items: 1 }), [bobRow]);
  assert.deepEqual(await told({ order_by: 'created_at', order: 'asc' }), [annRow, bobRow]);
  assert.deepEqual(await told({ email: 'BOB@example.com' }), [bobRow]);
  assert.deepEqual(await told({ search: 'ann' }), [annRow]);
});

test('a link has to be named, to be there, and to be one of the sends that are meant', async () => {
  const refusals: [number, object][] = [
    [400, {}],
    [400, { html_id: 'link-0' }],
    [400, { html_id: 'link-0', campaign_mailing_id: first.mailingId }],
    [400, { tracking_link_id: first.linkIds[0], min_cell: 11 }],
    [404, { html_id: 'link-2', campaign_mailing_send_id: first.sendId }],
    [404, { html_id: 'link-99999', campaign_mailing_send_id: first.sendId }],
    [404, { html_id: '0', campaign_mailing_send_id: first.sendId }],
    [404, { tracking_link_id: first.linkIds[0], campaign_mailing_send_id: second.sendId }],
    [404, { tracking_link_id: first.linkIds[0], email_type: 'drip' }],
    [404, { tracking_link_id: 999_999 }],
    [404, { tracking_link_id: 'x' }],
  ];
  for (const [status, query] of refusals) {
    assert.equal((await ask(app, customer, CLICKERS, query)).status, status, JSON.stringify(query));
  }
});

test('a link chooses the one send that has it, and among links itself', async () => {
  const [, link] = second.linkIds;
  const chosen = { tracking_link_id: Number(link) };
  assert.deepEqual(ids(await ask(app, customer, 'campaign_mailing_sends', chosen)), [second.sendId]);
  assert.deepEqual(ids(await ask(app, customer, 'analytics/campaign_mailing_sends_table', chosen)), [second.sendId]);
  const totals = await ask(app, customer, 'analytics/campaign_mailing_send_totals', chosen);
  assert.equal(totals.body.data.delivered, 1);
  for (const path of ['campaign_mailing_deliveries', 'analytics/campaign_mailing_deliveries_table']) {
    const { body } = await ask(app, customer, path, chosen);
    assert.deepEqual([body.data.length, body.page_info.count], [1, 1], path);
  }
  assert.deepEqual(ids(await ask(app, customer, 'tracking_links', chosen)), [link]);
  const { body } = await ask(app, customer, BY_URL, chosen);
  assert.deepEqual(body.data, [{ url: HOME, tracking_link_ids: [String(link)], clicks: 2, unique_clicks: 1 }]);
  const elsewhere = { ...chosen, campaign_mailing_send_id: first.sendId };
  assert.deepEqual(ids(await ask(app, customer, 'campaign_mailing_sends', elsewhere)), []);
});
