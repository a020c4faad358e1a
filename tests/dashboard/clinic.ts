import type { TestContext } from 'node:test';
import { INTAKE } from '../e2e/intake.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { addOversight } from '../support/oversight.ts';
import { type Ask, askAs } from './ask.ts';

/** A clinic with something in every room, and the ids of what there is. */
export interface Clinic {
  app: TestApp;
  customer: TestCustomer;
  ids: {
    message: string;
    template: number;
    webhook: string;
    domain: string;
    form: string;
    /** A form with submissions. */
    feedback: string;
    submission: string;
    subscriber: string;
    list: number;
    segment: string;
    mailing: string;
    send: string;
    drip: string;
    review: string;
    incident: string;
  };
}

const PEOPLE = ['Ada Nowak', 'Ben Okafor', 'Carla Ruiz', 'Dan Lee', 'Elif Kaya', 'Finn Berg', 'Gita Rao', 'Hugo Stein'];

/** Opens it: everything is made by the API, as a customer's own software would. */
export async function openClinic(t: TestContext): Promise<Clinic> {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const ask = askAs(app, customer);
  const mail = await addMail(app, ask);
  const forms = await addForms(ask, customer.id);
  const audience = await addAudience(ask);
  const campaigns = await addCampaigns(ask, audience.list);
  const overseen = await addOversight(app, { id: customer.id, mark: 'Monday at noon, for one record' });
  const oversight = { review: overseen.reviewId, incident: overseen.incidentId };
  return { app, customer, ids: { ...mail, ...forms, ...audience, ...campaigns, ...oversight } };
}

async function addMail(app: TestApp, ask: Ask) {
  const send = (to: string, subject: string) =>
    ask('POST', '/v1/email/messages', {
      data: {
        message: {
          recipients: [to],
          headers: { from: 'Maple Street Clinic <desk@maple-clinic.example>', subject },
          content: {
            'text/plain': 'Your appointment is on Monday at nine.',
            'text/html': '<p>Your appointment is on <b>Monday at nine</b>.</p>',
          },
        },
      },
    });
  const { sourceTrackingId: message } = await send('ada@patients.example', 'Your appointment');
  for (const [at, name] of PEOPLE.entries())
    await send(`${name.split(' ')[0]?.toLowerCase()}@patients.example`, `Reminder ${at + 1}`);
  await eventually(async () => {
    const { data } = await ask('GET', `/v1/email/message_receipt?sourceTrackingId=${message}`);
    return data.message.message_deliveries[0].status.deliveryStatus === 'delivered';
  });
  const { id: template } = await ask('POST', '/v1/email/dynamic_templates', {
    data: { name: 'Appointment', body: '<h1>Hello {{first_name}}</h1><p>See you on {{day}}.</p>' },
  });
  const webhook = await ask('POST', '/v1/webhooks/endpoints', {
    target_url: `${app.url.replace('127.0.0.1', 'localhost')}/nowhere`,
    events: ['api_mail_log_delivered'],
  });
  const domain = await ask('POST', '/v1/email/sending_domains', { domain: 'maple-clinic.example' });
  await ask('POST', '/v1/email/suppressions', { address: 'moved@patients.example', reason: 'manual' });
  return { message, template, webhook: webhook.id ?? webhook.data?.id, domain: domain.id ?? domain.data?.id };
}

async function addForms(ask: Ask, customer_id: number) {
  const form = await ask('POST', '/v1/forms/api/forms', {
    customer_id,
    title: 'Before your visit',
    description: 'Please take ten minutes for this. Only your care team reads it.',
    form_json: INTAKE,
    active: true,
  });
  const feedback = await ask('POST', '/v1/forms/api/forms', {
    customer_id,
    title: 'How was your visit?',
    form_json: {
      fields: [
        { type: 'text', name: 'name', label: 'Your name' },
        { type: 'rating', name: 'stars', label: 'Your rating' },
      ],
    },
    active: true,
  });
  const submissions = `/v1/forms/api/forms/${feedback.id}/submissions`;
  for (const [at, name] of PEOPLE.entries()) {
    await ask('POST', submissions, {
      form_data: { name, stars: (at % 5) + 1 },
      submitter_email: `${name.split(' ')[0]?.toLowerCase()}@patients.example`,
    });
  }
  const { data } = await ask('GET', submissions);
  return { form: form.id as string, feedback: feedback.id as string, submission: data[0].id as string };
}

async function addAudience(ask: Ask) {
  const list = await ask('POST', '/v1/marketing/subscription_lists', { name: 'Newsletter' });
  let subscriber = '';
  for (const name of PEOPLE) {
    const [first_name = '', last_name = ''] = name.split(' ');
    const made = await ask('POST', '/v1/marketing/subscribers', {
      subscriber: { email: `${first_name.toLowerCase()}@patients.example`, first_name, last_name },
      subscription_list_id: list.data.id,
    });
    subscriber ||= made.data.id;
  }
  const segment = await ask('POST', '/v1/marketing/dynamic_lists', {
    dynamic_list: { name: 'Names with A', filters: [[{ field: 'first_name', op: 'contains', terms: ['a'] }]] },
  });
  return { list: Number(list.data.id), subscriber, segment: segment.data.id as string };
}

async function addCampaigns(ask: Ask, list: number) {
  const mailing = await ask('POST', '/v1/marketing/campaign_mailings', {
    campaign_mailing: {
      subject: 'Flu shots are here',
      html_part: '<h1>Flu shots</h1><p>Come by on any weekday. <a href="https://maple-clinic.example/flu">More</a></p>',
      from: 'Maple Street Clinic <desk@maple-clinic.example>',
    },
  });
  const id = mailing.data.id as string;
  await ask('POST', '/v1/marketing/campaign_mailing_sends', {
    campaign_mailing_id: id,
    campaign_mailing_send: { sender_email: 'desk@maple-clinic.example', subscription_list_id: list },
  });
  const drip = await ask('POST', '/v1/marketing/drip_campaigns', {
    drip_campaign: {
      name: 'Welcome',
      subscription_list_id: list,
      steps: [
        { id: 'hello', type: 'email', campaign_mailing_id: id },
        { id: 'wait', type: 'delay', days: 3 },
        { id: 'again', type: 'email', campaign_mailing_id: id },
      ],
    },
  });
  await ask('POST', `/v1/marketing/drip_campaigns/${drip.data.id}/start`, { enroll_existing: true });
  return {
    mailing: id,
    send: (await ask('GET', '/v1/marketing/campaign_mailing_sends')).data.at(-1).id as string,
    drip: drip.data.id as string,
  };
}
