import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMailing, addSend } from '../analytics/sent.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { signIn } from '../support/people-session.ts';

interface Attention {
  kind: string;
  severity: string;
  subject: string;
  count: number | null;
  where: string;
}

test('an empty account shows the steps of the first day, and ticks them as they are done', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer({ agreement: false });
  const owner = await signIn(app, customer, 'owner');
  const home = async () => (await owner.request('GET', '/app/api/home')).body;
  const first = await home();
  assert.deepEqual(first.checklist, {
    agreement: false,
    factor: true,
    key: true,
    domain: false,
    first_message: false,
    first_form: false,
    first_submission: false,
    first_subscriber: false,
    first_drip: false,
    dismissed: false,
  });
  assert.deepEqual(
    first.attention.map(({ kind }: Attention) => kind),
    ['agreement_missing'],
  );
  const { version } = (await owner.request('GET', '/app/api/agreement')).body.text;
  const signing = { signer_name: 'Dana Reyes', signer_title: 'Owner', accepted: true, version };
  await owner.request('POST', '/app/api/agreement/sign', { body: signing });
  const form = {
    customer_id: customer.id,
    title: 'Intake',
    active: true,
    form_json: { fields: [{ name: 'answer', type: 'text' }] },
  };
  const { body: made } = await owner.request('POST', '/v1/forms/api/forms', { body: form });
  const sent = { form_data: { answer: 'yes' } };
  assert.equal((await app.request('POST', `/api/forms/${made.id}/submissions`, { body: sent })).status, 201);
  const message = {
    recipients: ['robin@example.com'],
    headers: { from: 'clinic@example.org', subject: 'Hello' },
    content: { 'text/plain': 'Hello' },
  };
  // A session is believed for some seconds, and this one has just come into an agreement.
  await eventually(async () => {
    const { status } = await owner.request('POST', '/v1/email/messages', { body: { data: { message } } });
    return status === 200;
  });
  const subscriber = { email: 'robin@example.com' };
  assert.equal((await owner.request('POST', '/v1/marketing/subscribers', { body: { subscriber } })).status, 200);
  const later = await home();
  for (const step of ['agreement', 'first_message', 'first_form', 'first_submission', 'first_subscriber']) {
    assert.equal(later.checklist[step], true, step);
  }
  assert.equal(later.checklist.first_drip, false);
  assert.equal(later.days.days.length, 7);
  for (const count of ['messages', 'submissions', 'subscribers']) {
    assert.deepEqual(later.days[count], [0, 0, 0, 0, 0, 0, 1], count);
  }
  assert.deepEqual(later.attention, [
    { kind: 'submissions_new', severity: 'info', subject: '', count: 1, where: '/forms/all' },
  ]);
  const reader = await signIn(app, customer, 'reader');
  assert.equal((await reader.request('POST', '/app/api/home/checklist/dismiss')).status, 403);
  assert.equal((await owner.request('POST', '/app/api/home/checklist/dismiss')).status, 200);
  assert.equal((await reader.request('GET', '/app/api/home')).body.checklist.dismissed, true);
});

test('what needs attention is told, the most urgent first, and nothing of another customer', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const reader = await signIn(app, customer, 'reader');
  const { key } = customer;
  const hook = { target_url: 'http://127.0.0.1:9/hook', events: ['api_mail_log_delivered'] };
  const { body: endpoint } = await app.request('POST', '/v1/email/webhook_endpoints', { key, body: hook });
  const { body: webhooks } = await app.request('GET', '/v1/webhooks/endpoints', { key });
  const { body: domain } = await app.request('POST', '/v1/email/sending_domains', {
    key,
    body: { domain: 'clinic.example' },
  });
  const { sendId } = await addSend(app, customer, [], {
    mailingId: await addMailing(app, customer, 'Spring news'),
    state: 'needs_decision',
  });
  await asOwner(app, async (client) => {
    await client.query('update webhook_endpoints set failing_since = now() where id = $1', [endpoint.id]);
    await client.query(`update agreements set ends_on = current_date + 10 where customer_id = $1`, [customer.id]);
    await client.query(`update sending_domains set state = 'failing' where customer_id = $1`, [customer.id]);
    await client.query(
      `insert into drip_facts (customer_id, kind, subject, at, set_aside) values ($1, 'joined', '1', now(), true)`,
      [customer.id],
    );
  });
  const { attention } = (await reader.request('GET', '/app/api/home')).body as { attention: Attention[] };
  const ends = attention.find(({ kind }) => kind === 'agreement_ending');
  assert.ok(ends?.count === 10 || ends?.count === 9 || ends?.count === 11);
  assert.deepEqual(
    attention.map(({ kind, severity, subject, where }) => [kind, severity, subject, where]),
    [
      ['webhook_failing', 'error', String(endpoint.id), `/email/webhooks/${webhooks.data[0].id}`],
      ['agreement_ending', 'warning', '', '/settings/agreement'],
      ['sends_waiting', 'warning', 'Spring news', `/marketing/mailings/sends/${sendId}`],
      ['drip_failing', 'warning', '', '/marketing/drips'],
      ['domain_failing', 'info', 'clinic.example', `/email/domains/${domain.data.id}`],
    ],
  );
  clock.advance(8 * 24 * 3600_000);
  const later = (await (await signIn(app, customer, 'reader')).request('GET', '/app/api/home')).body;
  assert.ok(!later.attention.some(({ kind }: Attention) => kind === 'drip_failing'), 'told for a week');
  const stranger = await signIn(app, await app.createCustomer(), 'owner');
  assert.deepEqual((await stranger.request('GET', '/app/api/home')).body.attention, []);
});

test('bounces that rise are told, and a few of them are not', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const reader = await signIn(app, customer, 'reader');
  const recipients = Array.from({ length: 25 }, (_, n) => `somebody-${n}@example.com`);
  const message = {
    recipients,
    headers: { from: 'clinic@example.org', subject: 'Hello' },
    content: { 'text/plain': 'x' },
  };
  await app.request('POST', '/v1/email/messages', { key: customer.key, body: { data: { message } } });
  const settle = (bounced: number) =>
    asOwner(app, (client) =>
      client.query(
        `update message_recipients set due_at = null,
          state = case when ordinal < $2 then 'bounced' else 'delivered' end where customer_id = $1`,
        [customer.id, bounced],
      ),
    );
  const rising = async () => {
    const { attention } = (await reader.request('GET', '/app/api/home')).body as { attention: Attention[] };
    return attention.find(({ kind }) => kind === 'bounces_rising')?.count;
  };
  await settle(0);
  assert.equal(await rising(), undefined);
  await settle(5);
  assert.equal(await rising(), 20);
  const { days } = (await reader.request('GET', '/app/api/home')).body;
  assert.equal(days.bounced.at(-1), 5);
  assert.equal(days.delivered.at(-1), 20);
});
