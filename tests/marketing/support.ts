import assert from 'node:assert/strict';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';

const BASE = '/v1/marketing';

type Body = Reply['body'];

/** The Marketing area as the holder of a key sees it. */
export interface Marketing {
  ask(method: string, path: string, body?: unknown): Promise<Reply>;
  /** The same, where it has to succeed; answers the body. */
  take(method: string, path: string, body?: unknown): Promise<Body>;
  /** Adds somebody and answers the id. */
  addPerson(email: string, more?: Record<string, unknown>, listId?: string | null): Promise<string>;
  addList(name: string, more?: Record<string, unknown>): Promise<string>;
  /** The people in a reply, by address without its domain. */
  namesIn(path: string): Promise<string[]>;
  /** Waits until a job is over and answers how it ended. */
  ended(jid: string): Promise<Body>;
}

export function marketingOf(app: TestApp, { key }: TestCustomer): Marketing {
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, BASE + path, { key, ...(body === undefined ? {} : { body }) });
  const take = async (method: string, path: string, body?: unknown) => {
    const reply = await ask(method, path, body);
    assert.equal(reply.status, 200, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  return {
    ask,
    take,
    addPerson: async (email, more = {}, listId = null) =>
      (await take('POST', '/subscribers', { subscriber: { email, ...more }, subscription_list_id: listId })).data.id,
    addList: async (name, more = {}) => (await take('POST', '/subscription_lists', { name, ...more })).data.id,
    namesIn: async (path) =>
      (await take('GET', path)).data.map(({ attributes }: Body) => attributes.email.replace(/@.*/, '')),
    ended: (jid) =>
      eventually(async () => {
        const { data } = await take('GET', `/bulk_jobs/${jid}`);
        return data.pending === 0 && data;
      }),
  };
}

/** What a refusal says: its status, its code, and the fields that it names. */
export function refusalOf({ status, body }: Reply): [number, string, string[]] {
  return [status, body.code, Object.keys(body.details)];
}

/** Rows as they are stored. */
export async function rowsOf(app: TestApp, query: string, values: unknown[] = []): Promise<Body[]> {
  return asOwner(app, async (client) => (await client.query(query, values)).rows);
}

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Begins one work after the other while rows are held, each until it waits for them or is done, and lets all of them go on. */
export async function whileHeld(
  app: TestApp,
  [hold, values]: [query: string, values: unknown[]],
  works: (() => Promise<unknown>)[],
): Promise<void> {
  await asOwner(app, async (client) => {
    await client.query('begin');
    await client.query(hold, values);
    const working: Promise<unknown>[] = [];
    let done = 0;
    for (const work of works) {
      working.push(work().finally(() => (done += 1)));
      await eventually(async () => (await rowsOf(app, WAITING)).length + done >= working.length);
    }
    await client.query('commit');
    await Promise.all(working);
  });
}
