import { createUser, recordAgreement } from '../../src/accounts/index.ts';
import { keepReport } from '../../src/email/bounces/message-reports.ts';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import type { Reply, TestApp, TestCustomer } from './app.ts';
import { addDrips } from './drips.ts';
import { eventually } from './eventually.ts';
import { addForm } from './forms.ts';
import { addHold } from './holds.ts';
import { addOversight, type Overseen } from './oversight.ts';
import { addPeople, type People } from './people.ts';
import { addPickup } from './pickups.ts';
import { addSentMailing } from './sent-mailing.ts';
import { addSignedIn, type SignedInOwner } from './signed-in-owner.ts';
import { addSigner } from './signers.ts';
import { addWork, type WorkDone } from './submission-work.ts';
import { addUnsent } from './unsent.ts';

/** A customer with at least one row in every table, all of whose texts hold its mark. */
export interface Owner extends TestCustomer, People, WorkDone, SignedInOwner, Overseen {
  mark: string;
  recipient: string;
  /** One to be read and changed, and one to be taken away. */
  formIds: [string, string];
  submissionIds: [string, string];
  fileId: string;
  /** A link of the first form that takes one submission. */
  linkId: string;
  destructionId: string;
  /** A legal hold that was released. */
  holdId: string;
  /** Somebody who has signed. */
  signerId: string;
  listId: number;
  /** An address that gets no mail. */
  suppressed: string;
  /** One to be read and changed, and one to be taken away. */
  sendingDomainIds: [string, string];
  tlsExceptionId: string;
  subscriberId: string;
  mailingId: string;
  /** One to be taken away. */
  leavingMailingId: string;
  /** A send to come, by its job. */
  scheduleId: string;
  sendId: string;
  mailId: string;
  trackingLinkId: string;
  /** One to be read and changed, and one to be taken away. */
  dripIds: [string, string];
  /** That of somebody in the first of them. */
  enrolmentId: string;
  /** One to be read and changed, and one to be taken away. */
  segmentIds: [string, string];
  /** One to be read and changed, and one to be taken away. */
  templateIds: [string, string];
  messageId: string;
  scheduledIds: [string, string];
  /** The same, with another to be taken away by its other id. */
  endpoints: [Endpoint, Endpoint, Endpoint];
  deliveryId: string;
  importId: string;
}

interface Endpoint {
  id: string;
  publicId: string;
}

export function asOwner<T>(app: TestApp, work: (client: Client) => Promise<T>): Promise<T> {
  return withConnection(app.installation.ownerUrl, work);
}

/** Makes such a customer, in an app that also delivers. */
export async function createOwner(app: TestApp): Promise<Owner> {
  const customer = await app.createCustomer({ agreement: false });
  const mark = `mark-of-${customer.username}`;
  const recipient = `${mark}@example.com`;
  const named = { ...customer, mark, recipient };
  const formIds = await createAccount(app, named);
  const templates = [await createTemplate(app, named, mark), await createTemplate(app, named, `${mark} to leave`)];
  const endpoints = [
    await createEndpoint(app, named, 'api_mail_log_delivered'),
    await createEndpoint(app, named, 'api_mail_log_permanent_failure'),
    await createEndpoint(app, named, 'forms.submission.created'),
  ];
  const messageId = await sendAndRead(app, named);
  await addPickup(app, named, messageId);
  await reportOn(app, named, messageId);
  const submissionIds = [await submit(app, named, formIds[0]), await submit(app, named, formIds[0])];
  await addFilling(app, named, formIds[0], submissionIds[0] as string);
  const fileId = await firstFile(app, named, formIds[0], submissionIds[0]);
  await app.request('GET', `/api/forms/${formIds[0]}/submissions/${submissionIds[0]}/certificate`, named);
  const destructionId = await amendAndDestroy(app, named, formIds[0], submissionIds[0] as string);
  const signerId = await addSigner(app, named, { formId: formIds[0], submissionId: submissionIds[0] as string });
  const work = await addWork(app, named, { formId: formIds[0], submissionId: submissionIds[0] as string });
  const linkId = await openByLink(app, named, formIds[0]);
  await addUnsent(app, named, formIds[0]);
  const scheduledIds = [await schedule(app, named), await schedule(app, named)];
  const listId = await asOwner(app, async (client) => {
    await client.query(`insert into key_destructions values ($1, now(), $2, 'none', null)`, [customer.id, mark]);
    await client.query(`insert into audit_verifications values ($1, now(), 1, 1, now(), 1, $2)`, [customer.id, mark]);
    await client.query(`insert into audit_signed_heads values ($1, 0, $2, 0, $3, $3)`, [
      customer.id,
      Buffer.from(mark),
      mark,
    ]);
    await client.query('insert into evidence_batches values (time_ordered_id(now()), $1, $2)', [
      customer.id,
      Buffer.from(mark),
    ]);
    await client.query(
      'insert into consent_texts (customer_id, subscription_list_id, text, created_at) values ($1, 1, $2, now())',
      [customer.id, mark],
    );
    const { rows } = await client.query('select id from subscription_lists where customer_id = $1', [customer.id]);
    return rows[0].id;
  });
  const suppressed = await suppressSomebody(app, named);
  const domains = await addDomains(app, named);
  const segmentIds = [await createSegment(app, named), await createSegment(app, named)];
  const { id: subscriberId } = await once(app, named, 'select id from subscribers where');
  const mailingId = await createMailing(app, named, mark);
  const leavingMailingId = await createMailing(app, named, `${mark} leaving`);
  const scheduleId = await scheduleMailing(app, named, mailingId);
  const sent = await addSentMailing(app, named, { mailingId, subscriberId });
  const drips = await addDrips(app, named, { mailingId, subscriberId, sendId: sent.sendId });
  const importId = await importPeople(app, named);
  const signedIn = await addSignedIn(app, named);
  const overseen = await addOversight(app, named);
  const holdId = await addHold(app, named);
  const people = await addPeople(app, named, { subscriberId, listId });
  const delivery = await once(app, named, 'select delivery_id from webhook_attempts where finished_at is not null and');
  // The sealer waits for every older transaction of the server, those of other tests included.
  await once(app, named, 'select from audit_heads where');
  return {
    ...named,
    formIds,
    submissionIds: submissionIds as [string, string],
    fileId,
    linkId,
    destructionId,
    signerId,
    ...work,
    listId,
    suppressed,
    ...domains,
    subscriberId,
    mailingId,
    leavingMailingId,
    scheduleId,
    ...sent,
    ...drips,
    ...people,
    ...signedIn,
    ...overseen,
    holdId,
    segmentIds: segmentIds as [string, string],
    messageId,
    templateIds: templates as [string, string],
    scheduledIds: scheduledIds as [string, string],
    endpoints: endpoints as [Endpoint, Endpoint, Endpoint],
    deliveryId: delivery.delivery_id,
    importId,
  };
}

type Named = TestCustomer & { mark: string; recipient: string };

/** The first row of the customer, as soon as there is one. */
async function once(app: TestApp, { id }: Named, query: string): Promise<Reply['body']> {
  return eventually(() =>
    asOwner(app, async (client) => (await client.query(`${query} customer_id = $1`, [id])).rows[0]),
  );
}

/** A user, an agreement, two forms and a subscriber. */
async function createAccount(app: TestApp, { id, key, mark, recipient }: Named): Promise<[string, string]> {
  const { installation, act } = app;
  await createUser(installation, act(id, 'user.created'), { email: `${mark}@example.org`, role: 'reader' });
  const agreement = { version: mark, signer: mark, signedOn: '2020-01-01', endsOn: null, pdf: Buffer.from('%PDF-1.7') };
  await recordAgreement(installation, act(id, 'agreement.recorded'), agreement);
  const form = { title: mark, description: mark, form_json: { mark } };
  const formIds: [string, string] = [await addForm(app, id, form), await addForm(app, id, form)];
  await app.request('POST', '/v1/marketing/subscribers', {
    key,
    headers: { 'idempotency-key': mark },
    body: { subscriber: { email: recipient, first_name: mark, custom_fields: [{ [mark]: mark }] } },
  });
  return formIds;
}

async function createSegment(app: TestApp, { key, mark }: Named): Promise<string> {
  const body = { name: mark, rule: `"${mark}" is "${mark}"` };
  return (await app.request('POST', '/v1/marketing/dynamic_lists', { key, body })).body.data.id;
}

async function createMailing(app: TestApp, { key, mark, recipient }: Named, subject: string): Promise<string> {
  const campaign_mailing = { subject, from: recipient, html_part: `<p>${mark}</p>` };
  return (await app.request('POST', '/v1/marketing/campaign_mailings', { key, body: { campaign_mailing } })).body.data
    .id;
}

async function scheduleMailing(app: TestApp, { id, key, mark, recipient }: Named, mailingId: string): Promise<string> {
  const body = {
    campaign_mailing_id: mailingId,
    send_at: new Date(Date.now() + 24 * 3600_000).toISOString(),
    campaign_mailing_send: { sender_email: recipient, recipient_emails: [recipient] },
  };
  const { body: scheduled } = await app.request('POST', '/v1/marketing/campaign_mailing_schedules', { key, body });
  await asOwner(app, async (client) => {
    const pace =
      'insert into domain_paces select id, $2, customer_id, now() from campaign_mailing_sends where customer_id = $1';
    await client.query(pace, [id, mark]);
  });
  return scheduled.data.jid;
}

/** An import that changes the subscriber and refuses a row. */
async function importPeople(app: TestApp, { key, mark, recipient }: Named): Promise<string> {
  const { body } = await app.request('POST', '/v1/marketing/imports', {
    key,
    headers: { 'content-type': 'text/csv' },
    raw: `email,last_name,${mark}\n${recipient},${mark},${mark} anew\n${mark},,\n`,
  });
  const { id } = body.data as { id: string };
  return eventually(async () => {
    const { body: told } = await app.request('GET', `/v1/marketing/imports/${id}`, { key });
    return told.data.attributes.state === 'done' && id;
  });
}

async function createTemplate(app: TestApp, { key, mark }: Named, name: string): Promise<string> {
  const body = { name, body: `<p>${mark}</p>`, subject: mark };
  return String((await app.request('POST', '/v1/email/dynamic_templates', { key, body })).body.id);
}

async function createEndpoint(app: TestApp, { key, mark }: Named, event: string): Promise<Endpoint> {
  const body = { target_url: `http://127.0.0.1:9/${event}/${mark}`, events: [event], api_key: mark };
  const { body: made } = await app.request('POST', '/v1/email/webhook_endpoints', { key, body });
  const { body: listed } = await app.request('GET', '/v1/webhooks/endpoints', { key });
  const { id: publicId } = listed.data.find((each: { target_url: string }) => each.target_url === body.target_url);
  return { id: String(made.id), publicId };
}

/** Sends a message with a link, opens it and follows the link. */
async function sendAndRead(app: TestApp, { key, mark, recipient }: Named): Promise<string> {
  await app.request('PATCH', '/v1/email/settings', { key, body: { open_tracking: true, link_tracking: true } });
  const message = {
    recipients: [recipient],
    headers: { from: recipient, subject: mark },
    content: { 'text/plain': mark, 'text/html': `<p>${mark} <a href="${app.url}/healthz">more</a></p>` },
  };
  const sent = await app.request('POST', '/v1/email/messages', { key, body: { data: { message } } });
  const html = await eventually(async () => {
    const { body } = await app.request('GET', '/v1/email/sandbox/messages', { key });
    return body.data[0]?.html as string | undefined;
  });
  const headers = { 'user-agent': 'Thunderbird' };
  for (const [path] of html.matchAll(/\/t\/[\w-]+/g)) await app.request('GET', path, { headers });
  return sent.body.sourceTrackingId;
}

/** What a server said of the message after it had taken it. */
async function reportOn({ installation }: TestApp, { id: customerId, mark }: Named, messageId: string): Promise<void> {
  const { db, vault, clock } = installation;
  const keys = await vault.of(customerId);
  const place = { customerId, messageId, ordinal: 0, kind: 'delayed', effect: 'soft' } as const;
  const said = { kind: 'delayed', status: '4.4.1', words: mark, remoteMta: mark, bounce: 'soft' } as const;
  await db.tenant([customerId], (tx) =>
    keepReport(tx, keys, place, { ...said, addresses: [], fromNobody: true }, clock.now()),
  );
}

async function suppressSomebody(app: TestApp, { key, mark }: Named): Promise<string> {
  const address = `no-more-${mark}@example.com`;
  await app.request('POST', '/v1/email/suppressions', { key, body: { address } });
  return address;
}

/** Two domains to send from, one of which has sent, and one where TLS need not be verified. */
async function addDomains(app: TestApp, { id, key, mark }: Named) {
  const add = async (path: string, domain: string): Promise<string> =>
    (await app.request('POST', `/v1/email/${path}`, { key, body: { domain } })).body.data.id;
  const domain = `${mark}.example`;
  const kept = await add('sending_domains', domain);
  const leaving = await add('sending_domains', `leaving.${domain}`);
  const tlsExceptionId = await add('tls_exceptions', domain);
  await asOwner(app, (client) => client.query('insert into sending_days values ($1, $2, now(), 1)', [id, domain]));
  return { sendingDomainIds: [kept, leaving] as [string, string], tlsExceptionId };
}

async function schedule(app: TestApp, { key, mark, recipient }: Named): Promise<string> {
  const message = { recipients: [recipient], headers: { from: recipient, subject: mark } };
  const data = { message, scheduled_at: new Date(Date.now() + 24 * 3600_000).toISOString() };
  return (await app.request('POST', '/v1/email/schedule', { key, body: { data } })).body.sourceTrackingId;
}

/** Remembers a submission as that of a page. */
async function addFilling(app: TestApp, { id, mark }: Named, formId: string, submissionId: string): Promise<void> {
  const digest = Buffer.from(mark);
  await asOwner(app, (client) =>
    client.query('insert into form_fillings values ($1, $2, $3, $3, $4, 1, now())', [id, formId, digest, submissionId]),
  );
}

async function submit(app: TestApp, { mark }: Named, formId: string): Promise<string> {
  const attachments = [{ name: `${mark}.txt`, content: Buffer.from(mark).toString('base64') }];
  const signature = { confirmed: true, name: mark };
  const body = { form_data: { email: `${mark}@example.com`, answer: mark }, attachments, signature };
  const { headers } = await app.request('POST', `/api/forms/${formId}/submissions`, { body });
  return headers.get('x-submission-id') as string;
}

/** Lets others frame a form and makes a link of it. */
async function openByLink(app: TestApp, { key, mark }: Named, formId: string): Promise<string> {
  const page = { frame_origins: [`https://${mark}.example`] };
  await app.request('PUT', `/api/forms/${formId}/page`, { key, body: page });
  const link = { count: 1, answers: { answer: mark } };
  return (await app.request('POST', `/api/forms/${formId}/links`, { key, body: link })).body.data[0].id;
}

/** Amends one submission and destroys another; answers the id of its certificate. */
async function amendAndDestroy(app: TestApp, owner: Named, formId: string, id: string): Promise<string> {
  const { key, mark } = owner;
  const path = `/api/forms/${formId}/submissions`;
  await app.request('POST', `${path}/${id}/amendments`, { key, body: { statement: mark } });
  await app.request('DELETE', `${path}/${await submit(app, owner, formId)}`, { key });
  return (await app.request('GET', '/api/forms/destructions', { key })).body.data[0].id;
}

async function firstFile(app: TestApp, { key }: Named, formId: string, id = ''): Promise<string> {
  const { body } = await app.request('GET', `/api/forms/${formId}/submissions/${id}`, { key });
  return body.data.attachments[0].id;
}
