import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addList } from '../consent/mailing.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { addMailing, addSend, addSubscriber, ask, type Mail, type Sent } from './sent.ts';

const TABLE = 'analytics/campaign_mailing_sends_table';

let app: TestApp;
let customer: TestCustomer;
const people: string[] = [];

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  for (let at = 0; at < 20; at += 1) people.push(await addSubscriber(app, customer, { email: `p${at}@example.com` }));
  const listId = await addList(app, customer, { name: 'Patients' });
  const spring = await addMailing(app, customer, 'Spring news');
  await send(spring, { delivered: 12, soft: 3, opened: 6, left: 3 }, listId, '2026-03-01T00:00:00.000Z');
  await send(spring, { delivered: 2, soft: 0, opened: 1, left: 0 }, undefined, '2026-03-05T00:00:00.000Z');
  await send(await addMailing(app, customer, 'Autumn news'), { delivered: 0, soft: 0, opened: 0, left: 0 });
});

function send(
  mailingId: number,
  { delivered, soft, opened, left }: { delivered: number; soft: number; opened: number; left: number },
  listId?: number,
  startedAt?: string,
): Promise<Sent> {
  const at = '2026-03-02T10:00Z';
  const mails: Mail[] = people.slice(0, delivered + soft).map((person, number) => ({
    person,
    ...(number < delivered ? { state: 'delivered' } : { state: 'bounced', rule: 'soft_bounce' }),
    ...(number < opened ? { opened: at } : {}),
    ...(number < left ? { left: at } : {}),
  }));
  const more = { ...(listId === undefined ? {} : { listId }), ...(startedAt === undefined ? {} : { startedAt }) };
  return addSend(app, customer, mails, { mailingId, ...more });
}

async function subjects(query: object): Promise<string[]> {
  const { body } = await ask(app, customer, TABLE, query);
  return body.data.map(({ subject, delivered }: { subject: string; delivered: number }) => `${subject} ${delivered}`);
}

test('each send is told with whom it went to, its counts and its rates', async () => {
  const { body } = await ask(app, customer, TABLE, { order: 'asc' });
  const { id, campaign_mailing_id: mailingId, ...row } = body.data[0];
  assert.match(`${id} ${mailingId}`, /^\d+ \d+$/);
  assert.deepEqual(row, {
    subject: 'Spring news',
    list_name: 'Patients',
    state: 'finished',
    started_at: '2026-03-01T00:00:00.000Z',
    finished_at: null,
    sent: 15,
    delivered: 12,
    viewed: 6,
    machine_viewed: 0,
    clicked: 0,
    bounced: 3,
    soft_bounced: 3,
    hard_bounced: 0,
    unsubscribed: 3,
    global_unsubscribed: 0,
    suppressed: 0,
    excluded: 0,
    uncertain: 0,
    queued: 0,
    deferred: 0,
    delivery_rate: 0.8,
    bounce_rate: 0.2,
    view_rate: 0.5,
    click_rate: 0,
    unsubscribe_rate: 0.25,
  });
  assert.deepEqual([body.data[1].list_name, body.data[2].delivery_rate], [null, null]);
});

test('the order may be asked for by the names that clients of another service know', async () => {
  const names = [
    ['started_at', 'sent_at'],
    ['list_name', 'subscription_list_name'],
    ['campaign_mailing_id', 'marketing_email_id'],
    ['id', 'created_at'],
  ] as const;
  for (const [ours, theirs] of names)
    for (const order of ['asc', 'desc']) {
      assert.deepEqual(await subjects({ order_by: theirs, order }), await subjects({ order_by: ours, order }), theirs);
    }
});

test('sends come newest first or in another order, in pages, and are found by their subject', async () => {
  const all = ['Autumn news 0', 'Spring news 2', 'Spring news 12'];
  assert.deepEqual(await subjects({}), all);
  assert.deepEqual(await subjects({ order_by: 'delivered', order: 'asc' }), all);
  assert.deepEqual(await subjects({ order_by: 'started_at', order: 'asc' }), [all[2], all[1], all[0]]);
  assert.deepEqual(await subjects({ order_by: 'started_at' }), [all[1], all[2], all[0]]);
  assert.deepEqual(await subjects({ order_by: 'subject', order: 'desc' }), [all[1], all[2], all[0]]);
  assert.deepEqual(await subjects({ order_by: 'campaign_mailing_id' }), all);
  assert.deepEqual(await subjects({ search: 'SPRING' }), all.slice(1));
  assert.deepEqual(await subjects({ search: '%' }), []);
  assert.deepEqual(await subjects({ email_type: 'drip' }), []);
  const { body } = await ask(app, customer, TABLE, { search: 'spring', items: 1, page: 2 });
  assert.deepEqual(body.page_info, { count: 2, pages: 2, page: 2, items: 1 });
  assert.equal(body.data[0].delivered, 12);
  for (const query of [{ order_by: 'sender_email' }, { order: 'up' }, { page: 0 }]) {
    const refused = await ask(app, customer, TABLE, query);
    assert.deepEqual([refused.status, Object.keys(refused.body.details)], [400, Object.keys(query)]);
  }
});

test('a period takes the sends that were under way within it', async () => {
  await asOwner(app, (client) =>
    client.query(`update campaign_mailing_sends set finished_at = started_at + interval '1 day'
      where started_at = '2026-03-01T00:00:00Z'`),
  );
  const [early, late] = ['Spring news 12', 'Spring news 2'];
  assert.deepEqual(await subjects({ end_date: '2026-03-02' }), [early]);
  assert.deepEqual(await subjects({ start_date: '2026-03-02', end_date: '2026-03-05' }), [late, early]);
  assert.deepEqual(await subjects({ start_date: '2026-03-03', end_date: '2026-03-05' }), [late], 'over by then');
  assert.deepEqual(await subjects({ start_date: '2026-03-03', end_date: '2026-03-04' }), [], 'not begun by then');
  const { status, body } = await ask(app, customer, TABLE, { start_date: 'yesterday' });
  assert.deepEqual([status, Object.keys(body.details)], [400, ['start_date']]);
});

test('small counts are hidden, with the sums and rates that would give them away', async () => {
  const { body } = await ask(app, customer, TABLE, { min_cell: 11, order: 'asc' });
  const { delivered, viewed, bounced, soft_bounced: soft, hard_bounced: hard, sent, ...row } = body.data[0];
  assert.deepEqual(
    { delivered, viewed, bounced, soft, hard, sent },
    {
      delivered: 12,
      viewed: null,
      bounced: null,
      soft: null,
      hard: 0,
      sent: null,
    },
  );
  assert.deepEqual(
    [row.small_cells_suppressed, row.delivery_rate, row.view_rate, row.click_rate, row.unsubscribe_rate],
    [true, null, null, 0, null],
  );
  assert.equal('small_cells_suppressed' in body.data[2], false);
  const { body: totals } = await ask(app, customer, 'analytics/campaign_mailing_send_totals', { min_cell: 4 });
  assert.deepEqual([totals.data.delivered, totals.data.viewed, totals.data.unsubscribed], [14, 7, null]);
  assert.equal(totals.data.small_cells_suppressed, true);
  const byDay = await ask(app, customer, 'analytics/campaign_mailing_send_totals', { min_cell: 100, by_date: true });
  assert.deepEqual([byDay.body.data[0].viewed, byDay.body.data[0].small_cells_suppressed], [null, true]);
});
