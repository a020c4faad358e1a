import assert from 'node:assert/strict';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

type Fields = Record<string, unknown>;

const BASE = '/v1/marketing';

/** Calls the Marketing area and expects success. */
export async function ask(
  app: TestApp,
  { key }: TestCustomer,
  method: string,
  path: string,
  body?: Fields,
): Promise<Reply> {
  const reply = await app.request(method, BASE + path, { key, ...(body && { body }) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return reply;
}

/** A list with people on it; answers its id. */
export async function addList(
  app: TestApp,
  customer: TestCustomer,
  emails: string[],
  name = 'Patients',
): Promise<string> {
  const { body } = await ask(app, customer, 'POST', '/subscription_lists', { name });
  for (const email of emails) await addPerson(app, customer, { email }, body.data.id);
  return body.data.id;
}

export async function addPerson(
  app: TestApp,
  customer: TestCustomer,
  subscriber: Fields,
  listId?: string,
): Promise<string> {
  const { body } = await ask(app, customer, 'POST', '/subscribers', { subscriber, subscription_list_id: listId });
  return body.data.id;
}

let made = 0;

/** A mailing; answers its id. */
export async function addMailing(app: TestApp, customer: TestCustomer, fields: Fields = {}): Promise<string> {
  made += 1;
  const campaign_mailing = {
    subject: `Mailing ${made}`,
    default_subject: 'News of the clinic',
    from: 'Clinic <clinic@example.org>',
    html_part:
      '<html><body><p>Hello {{first_name default="there"}}</p><a href="https://example.org/a">More</a></body></html>',
    ...fields,
  };
  return (await ask(app, customer, 'POST', '/campaign_mailings', { campaign_mailing })).body.data.id;
}

/** Begins a send from whom the mailing is from; answers its id. */
export async function startSend(
  app: TestApp,
  customer: TestCustomer,
  mailingId: string,
  send: Fields,
): Promise<string> {
  const { body: mailing } = await ask(app, customer, 'GET', `/campaign_mailings/${mailingId}`);
  await ask(app, customer, 'POST', '/campaign_mailing_sends', {
    campaign_mailing_id: mailingId,
    campaign_mailing_send: { sender_email: mailing.data.attributes.from, ...send },
  });
  const { body } = await ask(app, customer, 'GET', `/campaign_mailing_sends?campaign_mailing_id=${mailingId}`);
  return body.data[0].id;
}

export async function readSend(app: TestApp, customer: TestCustomer, id: string) {
  return (await ask(app, customer, 'GET', `/campaign_mailing_sends/${id}`)).body.data.attributes;
}

/** Waits until a send is in a state and answers it. */
export async function sendIn(app: TestApp, customer: TestCustomer, id: string, state: string) {
  let send: Fields = {};
  await eventually(async () => {
    send = await readSend(app, customer, id);
    return send.state === state;
  });
  return send;
}

/** What the sandbox received. */
export async function inbox(app: TestApp, { key }: TestCustomer) {
  return (await app.request('GET', '/v1/email/sandbox/messages', { key })).body.data as {
    to: string[];
    subject: string;
    headers: Record<string, string>;
    text: string;
    html: string;
  }[];
}
