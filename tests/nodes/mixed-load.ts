import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import type { PersistentClient } from './persistent-client.ts';

const BATCH = 5;
const FILE_BYTES = 300_000;
const TEXT = 'x'.repeat(2_000);

export interface Doors {
  url: string;
  smtpPort: number;
  key: string;
}

/** What the product has said that it has. */
export interface Acknowledged {
  http: string[];
  bulk: string[];
  smtp: string[];
  submissions: { id: string; sha256: string }[];
  people: string[];
}

interface Prepared {
  formId: string;
  listId: string;
}

/** Makes what the load goes to: a form with a recipient, a list with a drip of one mail, an endpoint for events. */
export async function prepareLoad({ url, key }: Doors, receiverUrl: string): Promise<Prepared> {
  const make = async (path: string, body: object) => {
    const reply = await fetch(url + path, { method: 'POST', headers: headersOf(key), body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as { id: string; data: { id: string } };
  };
  const form = { title: 'Intake', customer_id: 1, active: true, form_json: {}, recipient: 'desk@example.org' };
  const { id: formId } = await make('/v1/forms/api/forms', form);
  await make('/v1/email/webhook_endpoints', { target_url: receiverUrl, events: ['api_mail_log_delivered'] });
  const marketing = async (path: string, body: object) => (await make(`/v1/marketing${path}`, body)).data.id;
  const listId = await marketing('/subscription_lists', { name: 'Newcomers' });
  const campaign_mailing = { subject: 'Welcome', from: 'clinic@example.org', html_part: '<p>Hello</p>' };
  const steps = [
    { id: 'hello', type: 'email', campaign_mailing_id: await marketing('/campaign_mailings', { campaign_mailing }) },
  ];
  const drip_campaign = { name: 'Newcomers', subscription_list_id: listId, steps };
  await marketing(`/drip_campaigns/${await marketing('/drip_campaigns', { drip_campaign })}/start`, {});
  return { formId, listId };
}

/** Sends mail by HTTP, in batches and by SMTP, fills in forms with files and lets people join, until it is told to end. */
export function startLoad(doors: Doors, { formId, listId }: Prepared, client: PersistentClient) {
  const acknowledged: Acknowledged = { http: [], bulk: [], smtp: [], submissions: [], people: [] };
  const ending = new AbortController();
  const { url, key, smtpPort } = doors;

  /** However often it is asked for, it is done once: the header says that it is the same. */
  const post = (path: string, body: object, status: number) => {
    const headers = { ...headersOf(key), 'idempotency-key': randomUUID() };
    return client.insist(async (signal) => {
      const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), signal });
      const text = await reply.text();
      if (reply.status !== status) throw new Error(`${path}: ${reply.status} ${text}`);
      return { text, headers: reply.headers };
    });
  };
  const senders = {
    http: async () => {
      const { text } = await post('/v1/email/messages', { data: { message: messageFrom('http') } }, 200);
      acknowledged.http.push(JSON.parse(text).sourceTrackingId);
    },
    bulk: async () => {
      const messages = Array.from({ length: BATCH }, () => messageFrom('bulk'));
      const { text } = await post('/v1/email/bulk_messages', { data: { messages } }, 200);
      for (const { sourceTrackingId } of JSON.parse(text).messages) acknowledged.bulk.push(sourceTrackingId);
    },
    smtp: async () => void acknowledged.smtp.push(await client.insist(() => handIn(smtpPort, key))),
    form: async () => {
      const file = randomBytes(FILE_BYTES);
      const attachments = [{ name: 'scan.bin', content: file.toString('base64') }];
      const body = { form_data: { name: 'Ann' }, attachments };
      const { headers } = await post(`/api/forms/${formId}/submissions`, body, 201);
      const sha256 = createHash('sha256').update(file).digest('hex');
      acknowledged.submissions.push({ id: headers.get('x-submission-id') as string, sha256 });
    },
    person: async () => {
      const email = `${randomUUID()}@example.com`;
      await post('/v1/marketing/subscribers', { subscriber: { email }, subscription_list_id: listId }, 200);
      acknowledged.people.push(email);
    },
  };
  const keepOn = async (send: () => Promise<unknown>, pauseMs: number) => {
    while (!ending.signal.aborted) {
      await send();
      await sleep(pauseMs);
    }
  };
  const running = [
    keepOn(senders.http, 50),
    keepOn(senders.http, 50),
    keepOn(senders.bulk, 200),
    keepOn(senders.smtp, 200),
    keepOn(senders.form, 200),
    keepOn(senders.person, 200),
  ];
  const all = Promise.all(running);
  all.catch(() => ending.abort()); // told by `end`
  return {
    async end(): Promise<Acknowledged> {
      ending.abort();
      await all;
      return acknowledged;
    },
  };
}

function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

function messageFrom(door: string) {
  return {
    recipients: [`${randomUUID()}@example.com`],
    headers: { from: `${door}@example.org`, subject: 'Your visit' },
    content: { 'text/plain': TEXT },
  };
}

async function handIn(port: number, key: string): Promise<string> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'apikey', pass: key },
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 15_000,
  });
  try {
    const { response } = await transport.sendMail({
      from: 'smtp@example.org',
      to: `${randomUUID()}@example.com`,
      subject: 'Your visit',
      text: TEXT,
    });
    return /queued as ([0-9a-f-]{36})/.exec(response)?.[1] as string;
  } finally {
    transport.close();
  }
}
