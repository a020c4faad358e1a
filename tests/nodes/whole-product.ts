import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import nodemailer from 'nodemailer';
import { importFile } from '../imports/support.ts';
import { addMailing, addPerson, ask, inbox, sendIn, startSend } from '../mailings/mailing.ts';
import { openAccount, openBrowser, PASSWORD } from '../sign-in/visitor.ts';
import { attachmentPath, base64, download, readBack, submitted } from '../submissions/submitting.ts';
import type { TestApp, TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { deliveredReceipt, messageTo, send } from '../support/mail.ts';
import { codeOf } from '../support/people-session.ts';
import { createHook, type WebhookReceiver } from '../support/webhook-receiver.ts';

interface Doors {
  /** Where requests go. */
  http: TestApp;
  /** The port where mail is handed in. */
  smtpPort: number;
  receiver: WebhookReceiver;
}

/** Uses every part of the product that reads, writes, waits or works, once and to its end. */
export async function useEverything({ http, smtpPort, receiver }: Doors): Promise<void> {
  const customer = await http.createCustomer();
  await createHook(http, customer.key, { url: receiver.url, events: ['api_mail_log_delivered'] });
  await sendMail(http, customer);
  await handMailIn(http, customer, smtpPort);
  await receiver.atLeast(2);
  await submitForm(http, customer);
  const listId = (await ask(http, customer, 'POST', '/subscription_lists', { name: 'Patients' })).body.data.id;
  await importPeople(http, customer, listId);
  await mailEverybody(http, customer, listId);
  await leadThroughDrip(http, customer, listId);
  await signIn(http, customer);
}

/** Small and large, and once however often it is asked for. */
async function sendMail(http: TestApp, { key }: TestCustomer): Promise<void> {
  const attachments = [{ fileName: 'scan.bin', contentType: 'image/png', content: base64(randomBytes(400_000)) }];
  const message = messageTo('ann@example.com', { content: { 'text/plain': 'Here.' }, attachments });
  const again = { key, headers: { 'idempotency-key': randomUUID() }, body: { data: { message } } };
  const [one, other] = await Promise.all([0, 1].map(() => http.request('POST', '/v1/email/messages', again)));
  assert.equal(one?.status, 200, one?.text);
  assert.equal(one?.body.sourceTrackingId, other?.body.sourceTrackingId);
  const id = await send(http, key, messageTo('ben@example.com', { content: { 'text/plain': 'Here.' } }));
  await deliveredReceipt(http, key, id);
  await deliveredReceipt(http, key, one?.body.sourceTrackingId);
}

async function handMailIn(http: TestApp, { key }: TestCustomer, port: number): Promise<void> {
  const auth = { user: 'apikey', pass: key };
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth,
  });
  const { response } = await transport.sendMail({
    from: 'clinic@example.org',
    to: 'cleo@example.com',
    subject: 'By SMTP',
    text: 'Here.',
  });
  transport.close();
  await deliveredReceipt(http, key, /queued as ([0-9a-f-]{36})/.exec(response)?.[1] as string);
}

async function submitForm(http: TestApp, customer: TestCustomer): Promise<void> {
  const formId = await addForm(http, customer.id, { recipient: 'desk@example.org' });
  const file = randomBytes(300_000);
  const attachments = [{ name: 'scan.bin', content: base64(file) }];
  const id = await submitted(http, formId, { form_data: { name: 'Ann' }, attachments });
  const { answers, attachments: kept } = await readBack(http, customer, formId, id);
  assert.equal(answers.name, 'Ann');
  const { bytes } = await download(http, customer, attachmentPath(formId, id, kept[0].id));
  assert.ok(bytes.equals(file));
  await eventually(async () => (await inbox(http, customer)).some(({ to }) => to.includes('desk@example.org')));
}

/** By COPY into a table of the transaction's own. */
async function importPeople(http: TestApp, customer: TestCustomer, listId: string): Promise<void> {
  const file = 'email,first_name\nann@example.com,Ann\nben@example.com,Ben\n';
  const { attributes } = await importFile(http, customer, file, { subscription_list_id: listId });
  assert.deepEqual([attributes.state, attributes.created], ['done', 2]);
}

async function mailEverybody(http: TestApp, customer: TestCustomer, listId: string): Promise<void> {
  const sendId = await startSend(http, customer, await addMailing(http, customer), { subscription_list_id: listId });
  assert.equal((await sendIn(http, customer, sendId, 'finished')).delivered, 2);
}

async function leadThroughDrip(http: TestApp, customer: TestCustomer, listId: string): Promise<void> {
  const mailing = await addMailing(http, customer, { default_subject: 'Welcome' });
  const steps = [{ id: 'hello', type: 'email', campaign_mailing_id: mailing }];
  const drip = { drip_campaign: { name: 'Newcomers', subscription_list_id: listId, steps } };
  const dripId = (await ask(http, customer, 'POST', '/drip_campaigns', drip)).body.data.id;
  await ask(http, customer, 'POST', `/drip_campaigns/${dripId}/start`, {});
  await addPerson(http, customer, { email: 'newcomer@example.com' }, listId);
  await eventually(async () =>
    (await inbox(http, customer)).some(({ to, subject }) => to[0] === 'newcomer@example.com' && subject === 'Welcome'),
  );
}

async function signIn(http: TestApp, customer: TestCustomer): Promise<void> {
  const { email, secret } = await openAccount(http, customer, 'owner');
  const browser = openBrowser(http);
  assert.equal((await browser.ask('POST', '/sign_in', { email, password: PASSWORD })).body.state, 'factor');
  const ahead = new Date(http.installation.clock.now().getTime() + 30_000); // the code of now was taken by enrolling
  const { status, text } = await browser.ask('POST', '/sign_in/totp', { code: codeOf(secret, ahead) });
  assert.equal(status, 200, text);
  assert.equal((await browser.ask('GET', '/v1/marketing/subscription_lists')).status, 200);
}
