import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addMail } from '../consent/mailing.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { marketingOf, rowsOf } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

test('the story of somebody has their lists, mailings, submissions and consent, and nobody else’s', async () => {
  const customer = await app.createCustomer();
  const marketing = marketingOf(app, customer);
  const list = await marketing.addList('News', { consent_text: 'I want news' });
  const ann = await marketing.addPerson('Ann@example.com', {}, list);
  const bob = await marketing.addPerson('bob@example.com', {}, list);
  const { sendId, mailingId, mailId } = await addMail(app, customer, ann, { subscription_list_id: Number(list) });
  await addMail(app, customer, bob, { subscription_list_id: Number(list) });
  await rowsOf(
    app,
    `insert into mailing_engagement (id, customer_id, send_id, mailing_id, subscriber_id, first_opened_at)
     values ($1, $2, $3, $4, $5, now())`,
    [mailId, customer.id, sendId, mailingId, ann],
  );
  const submissions: string[] = [];
  for (const email of ['ann@example.com', 'bob@example.com', 'ANN@example.com']) {
    const formId = await addForm(app, customer.id);
    const { headers } = await app.request('POST', `/api/forms/${formId}/submissions`, {
      body: { form_data: { email } },
    });
    if (!email.startsWith('bob')) submissions.unshift(`${formId} ${headers.get('x-submission-id')}`);
  }
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [ann] });

  const { data } = await marketing.take('GET', `/subscribers/${ann}/story`);
  assert.equal(data.subscriber_id, ann);
  assert.deepEqual(data.lists.map(({ id, name }: { id: string; name: string }) => [id, name]).at(0), [list, 'News']);
  assert.equal(data.lists.length, 2);
  const [{ subject, opened_at: openedAt, ...mailing }, ...more] = data.mailings;
  assert.deepEqual(more, []);
  assert.ok(subject.length > 0 && openedAt.endsWith('Z'));
  assert.deepEqual(mailing, {
    campaign_mailing_id: String(mailingId),
    campaign_mailing_send_id: String(sendId),
    state: 'delivered',
    rule: null,
    settled_at: null,
    clicked_at: null,
    unsubscribed_at: null,
  });
  assert.deepEqual(
    data.submissions.map((each: Record<string, string>) => `${each.form_id} ${each.submission_id}`),
    submissions,
  );
  assert.deepEqual(
    data.consent.map(({ change, subscription_list_name: name, text }: Record<string, string>) => [change, name, text]),
    [
      ['joined', 'News', 'I want news'],
      ['joined', 'All subscribers', null],
      ['opted_out', null, null],
    ],
  );
  const audited = await rowsOf(app, `select target from audit_log where action = 'subscriber.story-read'`);
  assert.deepEqual(audited, [{ target: ann }]);
  const byPhone = await marketing.take('POST', '/subscribers', { subscriber: { phone_number: '+14155550123' } });
  const { data: bare } = await marketing.take('GET', `/subscribers/${byPhone.data.id}/story`);
  assert.deepEqual([bare.mailings, bare.submissions], [[], []]);
});
