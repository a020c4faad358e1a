import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { acts, addMailing, addSend, addSubscriber, ask, type Sent } from './sent.ts';

let app: TestApp;
let customer: TestCustomer;
let sent: Sent;

before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  const person = await addSubscriber(app, customer, {
    email: 'ann@example.com',
    first_name: '=HYPERLINK("https://evil.test")',
    last_name: 'Lee, "A"',
  });
  const at = '2026-03-02T10:00:00.000Z';
  const mail = { person, state: 'delivered', settled: at, opened: at, clicked: at, clicks: { 0: 2 } };
  const mailingId = await addMailing(app, customer, '@SUM(1)');
  sent = await addSend(app, customer, [mail], { mailingId, targets: ['https://clinic.test/'] });
});

async function csv(name: string, query: object = {}): Promise<string[]> {
  const { status, headers, text } = await ask(app, customer, `analytics/${name}/csv`, query);
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
  assert.equal(headers.get('content-disposition'), `attachment; filename="${name}.csv"`);
  assert.ok(text.endsWith('\r\n'));
  return text.slice(0, -2).split('\r\n');
}

test('every report is there as CSV, with the columns of its JSON, and no cell begins a formula', async () => {
  const counts =
    'sent,delivered,viewed,machine_viewed,clicked,bounced,soft_bounced,hard_bounced,unsubscribed,global_unsubscribed,suppressed,excluded,uncertain';
  assert.deepEqual(await csv('campaign_mailing_send_totals'), [
    `${counts},queued,deferred,small_cells_suppressed`,
    '1,1,1,0,1,0,0,0,0,0,0,0,0,0,0,',
  ]);
  assert.deepEqual(await csv('campaign_mailing_send_totals', { by_date: true, min_cell: 2 }), [
    `date,${counts},small_cells_suppressed`,
    '2026-03-02,,,,0,,0,0,0,0,0,0,0,0,true',
  ]);
  const [, send] = await csv('campaign_mailing_sends_table');
  assert.match(send ?? '', /^\d+,\d+,'@SUM\(1\),,finished,,,1,1,1,0,1,/);
  const [header, person] = await csv('campaign_mailing_deliveries_table', { campaign_mailing_id: sent.mailingId });
  assert.match(
    header ?? '',
    /^id,campaign_mailing_send_id,campaign_mailing_id,subscriber_id,email,full_name,state,rule,/,
  );
  assert.ok(
    person?.includes(`,ann@example.com,"'=HYPERLINK(""https://evil.test"") Lee, ""A""",delivered,,,1,2026-03-02T`),
  );
  assert.deepEqual(await csv('tracking_links_by_unique_link', { campaign_mailing_send_id: sent.sendId }), [
    'url,tracking_link_ids,clicks,unique_clicks,small_cells_suppressed',
    `https://clinic.test/,${sent.linkIds[0]},2,1,`,
  ]);
  const [columns, clicker] = await csv('subscribers_by_tracking_link', { tracking_link_id: sent.linkIds[0] });
  assert.equal(columns, 'subscriber_id,email,full_name,clicks,first_at');
  assert.match(clicker ?? '', /,ann@example\.com,.*,2,2026-03-02T10:00:00\.000Z$/);
});

test('taking a report away is written down, and a refused wish is an error as anywhere', async () => {
  const taker = await app.createCustomer();
  assert.equal((await ask(app, taker, 'analytics/campaign_mailing_send_totals/csv')).status, 200);
  const refused = await ask(app, taker, 'analytics/campaign_mailing_deliveries_table/csv', { min_cell: 11 });
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
  const foreign = { campaign_mailing_id: sent.mailingId };
  assert.equal((await ask(app, taker, 'analytics/campaign_mailing_sends_table/csv', foreign)).status, 403);
  assert.deepEqual(await acts(app, taker), [['report.exported', 'campaign_mailing_send_totals']]);
});

test('a report of many pages has everybody once, and those only who were asked for', async () => {
  const large = await app.createCustomer();
  const { sendId, mailingId, linkIds } = await addSend(app, large, [], { targets: ['https://clinic.test/'] });
  await addSend(app, large, [{ person: randomUUID(), state: 'delivered' }]);
  await asOwner(app, async (client) => {
    await client.query(
      `with mails as (
         insert into mailing_recipients (id, customer_id, send_id, mailing_id, subscriber_id, domain, state)
         select time_ordered_id(now()), $1, $2, $3, gen_random_uuid(), 'example.com', 'delivered'
         from generate_series(1, 11000) returning id, customer_id, send_id, subscriber_id)
       insert into mailing_link_clicks (id, link, customer_id, send_id, subscriber_id, clicks, first_at)
       select id, 0, customer_id, send_id, subscriber_id, 1, now() from mails`,
      [large.id, sendId, mailingId],
    );
  });
  const rows = async (name: string, query: object) => {
    const { text } = await ask(app, large, `analytics/${name}/csv`, query);
    return text.trim().split('\r\n').slice(1);
  };
  const mails = await rows('campaign_mailing_deliveries_table', { campaign_mailing_send_id: sendId });
  assert.deepEqual([mails.length, new Set(mails).size], [11_000, 11_000]);
  assert.equal((await rows('campaign_mailing_deliveries_table', {})).length, 11_001);
  const clickers = await rows('subscribers_by_tracking_link', { tracking_link_id: linkIds[0] });
  assert.deepEqual([clickers.length, new Set(clickers).size], [11_000, 11_000]);
});
