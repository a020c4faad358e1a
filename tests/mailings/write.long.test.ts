import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { addSend } from '../analytics/sent.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { sandboxCopy } from '../support/mail.ts';
import { type MailPeer, startMailPeer } from './mail-peer.ts';
import { addList, addMailing, addPerson, ask, sendIn, startSend } from './mailing.ts';

let app: TestApp;
let peer: MailPeer;
before(async (t) => {
  peer = await startMailPeer(t as TestContext);
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' }, overrides: { peer: peer.target } });
});

type Fields = Record<string, unknown>;

function save(customer: TestCustomer, fields: Fields) {
  const campaign_mailing = { subject: 'Named', from: 'clinic@example.org', ...fields };
  return app.request('POST', '/v1/marketing/campaign_mailings', { key: customer.key, body: { campaign_mailing } });
}

/** Sends a mailing to one new person and answers what arrived. */
async function arriving(customer: TestCustomer, mailing: Fields, person: Fields = {}) {
  const email = `person-${peer.received.length}@example.com`;
  const listId = await addList(app, customer, []);
  await addPerson(app, customer, { email, ...person }, listId);
  const send = await startSend(app, customer, await addMailing(app, customer, mailing), {
    subscription_list_id: listId,
  });
  await sendIn(app, customer, send, 'finished');
  const raw = peer.received.find(({ recipient }) => recipient === email)?.mime as string;
  return { raw, email, ...(await PostalMime.parse(raw)) };
}

test('a mail has both parts, the way out and a signature over all of it that holds', async () => {
  const customer = await app.createCustomer();
  const mail = await arriving(
    customer,
    { html_part: '<style>p { color: red }</style><p>Hello {{first_name}}</p>' },
    { first_name: 'Ann' },
  );
  assert.match(mail.html ?? '', /<p style="color: ?red;?">Hello Ann<\/p>/);
  assert.match(mail.text ?? '', /Hello Ann/);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? '';
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const [, url = ''] = /^<(http[^>]*\/t\/[\w-]+)>$/.exec(header('list-unsubscribe')) ?? [];
  assert.ok(mail.html?.includes(url) && mail.text?.includes(url), 'the footer leads there too');

  const keys = await app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('dkim_keys').selectAll().execute(),
  );
  const resolver = async (name: string) => {
    const key = keys.find(({ selector }) => name === `${selector}._domainkey.example.org`);
    return [[`v=DKIM1; k=${key?.algorithm}; p=${key?.public_key}`]];
  };
  const { results } = await dkimVerify(mail.raw, { resolver });
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass', 'pass'],
  );
  assert.match(results[0]?.signingHeaders?.keys ?? '', /List-Unsubscribe:/i);
  assert.match(results[0]?.signingHeaders?.keys ?? '', /List-Unsubscribe-Post/i);
});

test('MJML and blocks become mails, and links lead through the installation', async () => {
  const customer = await app.createCustomer();
  const mjml =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{first_name}}</mj-text></mj-column></mj-section></mj-body></mjml>';
  const fromMjml = await arriving(
    customer,
    { template_type: 'mjml', html_part: null, mjml_part: mjml },
    { first_name: 'Ann' },
  );
  assert.match(fromMjml.html ?? '', /Hello Ann/);
  const blocks = [
    { type: 'heading', text: 'Hello {{first_name}}' },
    { type: 'button', label: 'Book', url: 'https://example.org/book' },
  ];
  const fromBlocks = await arriving(
    customer,
    { template_type: 'blocks', html_part: null, blocks },
    { first_name: 'Ben' },
  );
  assert.match(fromBlocks.html ?? '', /Hello Ben/);
  assert.ok(!fromBlocks.html?.includes('example.org/book'));
  const link = /href="(http[^"]*\/t\/[\w-]+)"/.exec(fromBlocks.html ?? '')?.[1] as string;
  const followed = await fetch(link.replace(/^.*\/t\//, `${app.url}/t/`), { redirect: 'manual' });
  assert.equal(followed.headers.get('location'), 'https://example.org/book');
});

test('custom fields are written by name and by slug, with a default where there is none', async () => {
  const customer = await app.createCustomer();
  const mail = await arriving(
    customer,
    { html_part: '<p>{{[Favourite Colour]}} {{favourite_colour}} {{shoe_size default="unknown"}}</p>' },
    { custom_fields: [{ 'Favourite Colour': 'green' }] },
  );
  assert.match(mail.html ?? '', />green green unknown</);
  const alike = { html_part: '<p>{{plan}}, {{Plan}}, {{size}}, {{Size}}.</p>' };
  const named = await arriving(customer, alike, {
    custom_fields: [{ plan: 'small' }, { Plan: 'large' }, { Size: 'tall' }],
  });
  assert.match(named.html ?? '', />small, large, tall, tall\./);
  const half = await arriving(customer, alike, { custom_fields: [{ Plan: 'large' }, { size: 'short' }] });
  assert.match(half.html ?? '', />, large, short, \./, 'a field that has the name itself is meant, though it is empty');
});

test('health data stands in the body only: the subject, the preheader and every address are refused, naming the place', async () => {
  const customer = await app.createCustomer();
  await ask(app, customer, 'POST', '/subscriber_custom_field_types', { name: 'Diagnosis', class: 'phi' });
  const refused: Fields[] = [
    { default_subject: 'About {{diagnosis}}', html_part: '<p>x</p>' },
    { default_subject: 'Hi {{#if Diagnosis}}there{{/if}}', html_part: '<p>x</p>' },
    { preheader: '{{diagnosis}}', html_part: '<p>x</p>' },
    { html_part: '<a href="https://example.org/?d={{diagnosis}}">x</a>' },
    { html_part: '<img src="https://example.org/{{[Diagnosis]}}.png" alt="">' },
    { html_part: '{{#if diagnosis}}<a href="https://example.org/a">x</a>{{/if}}' },
    {
      html_part:
        '<style>.flu:hover { background: url(https://example.org/flu.png) }</style><p class="{{diagnosis}}">x</p>',
    },
    {
      html_part:
        '<style>@media screen { .ill { background: url(https://example.org/flu.png) } }</style>{{#if diagnosis}}<p class="ill">x</p>{{/if}}',
    },
    {
      template_type: 'mjml',
      mjml_part:
        '<mjml><mj-head><mj-style>.ill { background: url(https://example.org/flu.png) }</mj-style></mj-head><mj-body><mj-section><mj-column><mj-text>{{#if diagnosis}}<p class="ill">x</p>{{/if}}</mj-text></mj-column></mj-section></mj-body></mjml>',
    },
    { html_part: '<p>x</p>', text_part: '{{#if diagnosis}}https://example.org/flu{{/if}}' },
    {
      template_type: 'mjml',
      mjml_part:
        '<mjml><mj-head><mj-preview>{{diagnosis}}</mj-preview></mj-head><mj-body><mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section></mj-body></mjml>',
    },
  ];
  for (const fields of refused) {
    const reply = await save(customer, fields);
    assert.equal(reply.status, 422, JSON.stringify(fields));
    assert.equal(reply.body.code, 'unprocessable');
    const [named = '', ...others] = Object.keys(reply.body.details);
    assert.deepEqual(others, []);
    assert.ok(named.replace('campaign_mailing.', '') in fields, `${named} is the field that was sent`);
  }
  const mail = await arriving(
    customer,
    { html_part: '<p>You have {{diagnosis}}.</p>' },
    { custom_fields: [{ Diagnosis: 'flu' }] },
  );
  assert.match(mail.html ?? '', /You have flu/);
  const mailing = await addMailing(app, customer, { html_part: '<p>x</p>', default_subject: 'Hello {{mood}}' });
  await ask(app, customer, 'POST', '/subscriber_custom_field_types', { name: 'mood', class: 'phi' });
  const late = await app.request('POST', '/v1/marketing/campaign_mailing_sends', {
    key: customer.key,
    body: {
      campaign_mailing_id: mailing,
      campaign_mailing_send: { sender_email: 'clinic@example.org', recipient_emails: ['a@example.com'] },
    },
  });
  assert.equal(late.status, 422, 'what has become health data since is refused when the send begins');
  const tried = await app.request('POST', `/v1/marketing/campaign_mailings/${mailing}/send_test_email`, {
    key: customer.key,
    body: { to_email: 'a@example.com' },
  });
  assert.deepEqual([tried.status, tried.body.details], [422, late.body.details], 'and where it is only tried out');
});

test('a mailing keeps its versions, and its name is its own', async () => {
  const customer = await app.createCustomer();
  const { body } = await save(customer, { html_part: '<p>1</p>', form_data: { editor: [1, 2] } });
  const { id } = body.data;
  const taken = await save(customer, { html_part: '<p>2</p>' });
  assert.equal(taken.status, 422);
  assert.deepEqual(taken.body.details, { 'campaign_mailing.subject': ['is taken'] });
  await ask(app, customer, 'PATCH', `/campaign_mailings/${id}`, { campaign_mailing: { html_part: '<p>1</p>' } });
  const other = { campaign_mailing: { text_part: 'Other' } };
  assert.deepEqual((await ask(app, customer, 'PUT', `/campaign_mailings/${id}`, other)).body, { data: { id } });
  const { attributes } = (await ask(app, customer, 'GET', `/campaign_mailings/${id}?with_images=true`)).body.data;
  assert.equal(attributes.version, 2, 'saying the same is no new version');
  assert.deepEqual(attributes.form_data, { editor: [1, 2] });
  await ask(app, customer, 'DELETE', '/campaign_mailings_bulk_delete', { campaign_mailing_ids: [id] });
  assert.equal((await app.request('GET', `/v1/marketing/campaign_mailings/${id}`, { key: customer.key })).status, 404);
  assert.equal((await save(customer, { html_part: '<p>3</p>' })).status, 200, 'its name is free again');
});

test('a mailing that several save at one moment has what each of them said', async () => {
  const customer = await app.createCustomer();
  const id = await addMailing(app, customer);
  const parts = ['default_subject', 'preheader', 'text_part', 'from', 'reply_to', 'subject'];
  const replies = await Promise.all(
    parts.map((part) =>
      app.request('PATCH', `/v1/marketing/campaign_mailings/${id}`, {
        key: customer.key,
        body: { campaign_mailing: { [part]: `${part}@example.org` } },
      }),
    ),
  );
  assert.deepEqual(
    replies.map(({ status }) => status),
    parts.map(() => 200),
  );
  const { attributes } = (await ask(app, customer, 'GET', `/campaign_mailings/${id}`)).body.data;
  assert.equal(attributes.version, 1 + parts.length);
  for (const part of parts) assert.equal(attributes[part], `${part}@example.org`);
});

test('a mailing is listed with what became of all its sends, and with the last of them', async () => {
  const customer = await app.createCustomer();
  const mailing = { mailingId: Number(await addMailing(app, customer)) };
  const person = await addPerson(app, customer, { email: 'ann@example.com' });
  const at = '2026-03-01T10:00Z';
  const mails = [
    { state: 'delivered', opened: at, clicked: at },
    { state: 'delivered', opened: at, left: at },
    { state: 'delivered', left: at, optedOut: true },
    { state: 'bounced', rule: 'soft_bounce' },
    { state: 'bounced', rule: 'hard_bounce' },
    { state: 'sent', rule: 'decided' },
    { state: 'excluded', rule: 'opted_out' },
  ].map((mail) => ({ person, ...mail }));
  await addSend(app, customer, mails, mailing);
  const { sendId } = await addSend(app, customer, [{ person, state: 'delivered' }], mailing);
  const [{ attributes }] = (await ask(app, customer, 'GET', '/campaign_mailings')).body.data;
  const { sent, delivered, viewed, clicked, bounced, unsubscribed, latest_send: latest } = attributes;
  assert.deepEqual([sent, delivered, viewed, clicked, bounced, unsubscribed], [7, 4, 2, 1, 2, 2]);
  assert.equal(latest.id, String(sendId));
});

test('mailings are listed with their counts, by a regular expression that cannot run away', async () => {
  const customer = await app.createCustomer();
  for (const subject of ['Spring news', 'Summer news', 'Recall'])
    await save(customer, { subject, html_part: '<p>x</p>' });
  const subjects = async (query: string) =>
    (await ask(app, customer, 'GET', `/campaign_mailings?${query}`)).body.data.map(
      ({ attributes }: { attributes: { subject: string } }) => attributes.subject,
    );
  assert.deepEqual(await subjects('search=^S.*news$&order_by=subject&order=asc'), ['Spring news', 'Summer news']);
  assert.deepEqual(await subjects('search=s.*NEWS'), []);
  assert.deepEqual(await subjects('items=1&page=3&order_by=subject&order=asc'), ['Summer news']);
  assert.equal((await subjects('pagination=false')).length, 3);
  const [{ attributes }] = (await ask(app, customer, 'GET', '/campaign_mailings')).body.data;
  for (const count of ['sent', 'delivered', 'viewed', 'clicked', 'bounced', 'unsubscribed']) {
    assert.deepEqual([attributes[count], attributes[`${count}_count`]], [0, 0], count);
  }
  for (const [query, code] of [
    ['search=(', 'invalid_regex'],
    ['search=(?=a)', 'invalid_regex'],
    [`search=${'a'.repeat(257)}`, 'invalid_regex'],
    ['order_by=sent_by', 'invalid_request'],
    ['items=101', 'invalid_request'],
    ['template_type=word', 'invalid_request'],
  ]) {
    const { status, body } = await app.request('GET', `/v1/marketing/campaign_mailings?${query}`, {
      key: customer.key,
    });
    assert.deepEqual([status, body.code], [400, code], query);
  }
  await subjects(`search=${encodeURIComponent('(a+)+$')}`);
});

test('a test goes to one address and is marked as one', async (t) => {
  const sandboxed = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await sandboxed.createCustomer();
  await addPerson(sandboxed, customer, { email: 'Desk@example.org', first_name: 'Dora' });
  const mailing = await addMailing(sandboxed, customer);
  const path = `/v1/marketing/campaign_mailings/${mailing}/send_test_email`;
  const { status, text } = await sandboxed.request('GET', `${path}?to_email=desk@example.org`, { key: customer.key });
  assert.deepEqual([status, text], [204, '']);
  const log = await sandboxed.request('GET', '/v1/email/message_log', { key: customer.key });
  const copy = await sandboxCopy(sandboxed, customer.key, log.body.data[0].sourceTrackingId);
  assert.equal(copy.subject, '[Test] News of the clinic');
  assert.match(copy.html, /Hello Dora/);
  const encoded = '=?utf-8?q?Your_test_is_positive?=';
  await addPerson(sandboxed, customer, { email: 'eve@example.org', first_name: encoded });
  const forOne = await addMailing(sandboxed, customer, { default_subject: 'For {{first_name}}' });
  const toEve = `/v1/marketing/campaign_mailings/${forOne}/send_test_email?to_email=eve@example.org`;
  await sandboxed.request('GET', toEve, { key: customer.key });
  const { body } = await sandboxed.request('GET', '/v1/email/message_log', { key: customer.key });
  const sent = body.data.find(({ subject }: { subject: string }) => subject.includes('For'));
  const { subject } = await sandboxCopy(sandboxed, customer.key, sent.sourceTrackingId);
  assert.equal(subject, `[Test] For ${encoded}`, 'a name is no encoded word');
  for (const query of ['', '?to_email=', '?to_email=nobody']) {
    assert.equal((await sandboxed.request('GET', path + query, { key: customer.key })).status, 400, query);
  }
});
