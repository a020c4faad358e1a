import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { askAs } from './ask.ts';
import { enter } from './enter.ts';

const WORDS =
  'Überprüfung der Krankenversicherungskarte vor dem ersten Besuch in unserer Gemeinschaftspraxis am Marktplatz';
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
const ADDRESS = `${'anna.maria'.repeat(6)}@${'gemeinschaftspraxis-am-marktplatz.'.repeat(3)}example`;

/** What makes a page wider than its window. */
const TOO_WIDE = `(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll('main *')]
    .filter((one) => one.getBoundingClientRect().right > width)
    .map((one) => one.outerHTML.slice(0, 160));
})()`;

test('long names and long words make no page wider than a phone', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const ask = askAs(app, customer);
  const message = { headers: { from: `${WORDS} <${ADDRESS}>`, subject: WORDS }, recipients: [ADDRESS] };
  const content = { 'text/plain': `${WORDS}\n${WORD}` };
  const sent = await ask('POST', '/v1/email/messages', { data: { message: { ...message, content } } });
  const template = await ask('POST', '/v1/email/dynamic_templates', {
    data: { name: WORD, body: `<p>${WORDS}</p>{{${'a_very_long_name_'.repeat(6)}}}` },
  });
  const form = await ask('POST', '/v1/forms/api/forms', {
    customer_id: customer.id,
    title: `${WORDS} ${WORD}`,
    description: WORD,
    form_json: {
      fields: [
        { type: 'text', name: 'name', label: WORDS },
        { type: 'file', name: 'card', label: WORD },
      ],
    },
    recipient: ADDRESS,
    active: true,
  });
  const submissions = `/v1/forms/api/forms/${form.id}/submissions`;
  await ask('POST', submissions, {
    form_data: { name: WORD },
    submitter_email: ADDRESS,
    attachments: [{ name: `${WORDS}.txt`, content: Buffer.from('a card').toString('base64') }],
  });
  const { data } = await ask('GET', submissions);
  const list = await ask('POST', '/v1/marketing/subscription_lists', { name: `${WORDS} ${WORD}` });
  await ask('POST', '/v1/marketing/subscriber_custom_field_types', { name: WORDS, kind: 'text', class: 'personal' });
  const person = await ask('POST', '/v1/marketing/subscribers', {
    subscriber: { email: ADDRESS, first_name: WORDS, last_name: WORD, custom_fields: [{ [WORDS]: WORD }] },
    subscription_list_id: list.data.id,
  });
  const segment = await ask('POST', '/v1/marketing/dynamic_lists', {
    dynamic_list: { name: `${WORDS} ${WORD}`, filters: [[{ field: WORDS, op: 'contains', terms: [WORD] }]] },
  });
  const mailing = await ask('POST', '/v1/marketing/campaign_mailings', {
    campaign_mailing: {
      subject: `${WORDS} ${WORD}`,
      default_subject: WORDS,
      from: ADDRESS,
      html_part: `<p>${WORD}</p>`,
    },
  });
  const drip = await ask('POST', '/v1/marketing/drip_campaigns', {
    drip_campaign: {
      name: `${WORDS} ${WORD}`,
      subscription_list_id: list.data.id,
      steps: [{ id: 'hello', type: 'email', campaign_mailing_id: mailing.data.id }],
    },
  });
  const webhook = await ask('POST', '/v1/webhooks/endpoints', {
    target_url: `${app.url.replace('127.0.0.1', 'localhost')}/${WORD}`,
    events: ['api_mail_log_delivered'],
  });
  await ask('POST', '/v1/email/suppressions', { address: ADDRESS, reason: 'manual' });
  const viewport = { width: 360, height: 640 };
  const { page } = await enter(
    await openBrowser(t),
    { app, customer, role: 'owner', path: '/' },
    { viewport, reducedMotion: 'reduce' },
  );
  const found: Record<string, unknown> = {};
  for (const path of [
    '/email/messages',
    `/email/messages/${sent.sourceTrackingId}`,
    '/email/templates',
    `/email/templates/${template.id}`,
    '/email/suppressions',
    '/email/webhooks',
    `/email/webhooks/${webhook.data.id}`,
    '/email/sandbox',
    '/forms/all',
    '/forms/new',
    `/forms/${form.id}`,
    `/forms/${form.id}/edit`,
    `/forms/${form.id}/share`,
    `/forms/${form.id}/versions`,
    `/forms/${form.id}/submissions`,
    `/forms/${form.id}/submissions/${data[0].id}`,
    '/marketing/subscribers',
    `/marketing/subscribers/${person.data.id}`,
    '/marketing/subscribers/fields',
    '/marketing/lists',
    `/marketing/lists/${list.data.id}`,
    '/marketing/segments',
    `/marketing/segments/${segment.data.id}`,
    '/marketing/mailings',
    `/marketing/mailings/${mailing.data.id}`,
    '/marketing/drips',
    `/marketing/drips/${drip.data.id}`,
    '/marketing/drips/new',
    '/marketing/reports',
  ]) {
    await page.goto(`${app.url}/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const wide = (await page.evaluate(TOO_WIDE)) as string[];
    if (wide.length > 0) found[path] = wide;
  }
  assert.deepEqual(found, {});
});
