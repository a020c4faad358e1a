import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { addList, addMailing, ask } from '../mailings/mailing.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';

type Fields = Record<string, unknown>;
type Body = Reply['body'];

const NOON = new Date('2026-11-16T12:00:00Z');

/** A customer that has what drips name, and the calls about drips. */
export interface Clinic {
  app: TestApp;
  clock: ReturnType<typeof createMovableClock>;
  customer: TestCustomer;
  listId: string;
  mailingId: string;
  segmentId: string;
  formId: string;
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  /** The same, where it has to succeed; answers the body. */
  take(method: string, path: string, body?: unknown): Promise<Body>;
  /** Makes a drip and answers its id. */
  addDrip(fields?: Fields): Promise<string>;
  /** What is known of a drip. */
  read(id: string): Promise<Body>;
}

/** An app in which nothing drives the drips, and what makes customers of it. */
export async function openApp(t: TestContext, env: Record<string, string> = {}): Promise<() => Promise<Clinic>> {
  const clock = createMovableClock(NOON);
  const app = await startApp(t, { clock, env });
  return () => clinicOf(app, clock);
}

async function clinicOf(app: TestApp, clock: Clinic['clock']): Promise<Clinic> {
  const customer = await app.createCustomer();
  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, `/v1/marketing${path}`, { key: customer.key, ...(body === undefined ? {} : { body }) });
  const take = async (method: string, path: string, body?: unknown) => {
    const reply = await call(method, path, body);
    assert.equal(reply.status, 200, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const listId = await addList(app, customer, []);
  const mailingId = await addMailing(app, customer);
  const rule = { name: 'At example.org', rule: 'email ends with "@example.org"' };
  const { body: segment } = await ask(app, customer, 'POST', '/dynamic_lists', rule);
  return {
    app,
    clock,
    customer,
    listId,
    mailingId,
    segmentId: segment.data.id,
    formId: await addForm(app, customer.id, {}),
    call,
    take,
    async addDrip(fields = {}) {
      const drip_campaign = { name: 'Welcome', subscription_list_id: listId, steps: emailSteps(mailingId), ...fields };
      return (await take('POST', '/drip_campaigns', { drip_campaign })).data.id;
    },
    read: async (id) => (await take('GET', `/drip_campaigns/${id}`)).data.attributes,
  };
}

/** A mail, a day, and another mail. */
export function emailSteps(mailingId: string): Fields[] {
  return [
    { id: 'hello', type: 'email', campaign_mailing_id: mailingId },
    { id: 'day', type: 'delay', days: 1 },
    { id: 'again', type: 'email', campaign_mailing_id: mailingId, subject: 'Once more' },
  ];
}

/** The status of a refusal and what it says. */
export async function refused(reply: Promise<Reply>): Promise<[status: number, error: string, fields: string[]]> {
  const { status, body } = await reply;
  assert.ok(status >= 400, `${status} is no refusal`);
  return [status, body.error, Object.keys(body.details)];
}
