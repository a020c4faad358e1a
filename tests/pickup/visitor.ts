import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { createNotices, type Notices } from '../../src/email/index.ts';
import { openEnvelope } from '../../src/email/submission/sealed-message.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A product whose delivery the test plays: it asks for notices and says that they have arrived. */
export interface Office {
  app: TestApp;
  clock: MovableClock;
  /** The notice for one recipient, as a mail program reads it. */
  notice(customer: TestCustomer, messageId: string, ordinal?: number): Promise<Email>;
  /** Sends a message, has its notice delivered and answers where the link leads. */
  leave(customer: TestCustomer, message: Record<string, unknown>): Promise<{ id: string; path: string }>;
  /** Runs the hourly sweep. */
  sweep(): Promise<void>;
  /** Rows as the owner of the database sees them. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

export async function openOffice(t: TestContext, env: Record<string, string> = {}): Promise<Office> {
  const clock = createMovableClock(new Date(Math.ceil(Date.now() / 1_000) * 1_000));
  const app = await startApp(t, { clock, env });
  const { ownerUrl, log, vault, config } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 4);
  t.after(() => db.close());
  const notices: Notices = createNotices({ db, vault, clock, publicUrl: config.publicUrl });
  const query: Office['query'] = (text, values = []) =>
    asOwner(app, async (client) => (await client.query(text, values)).rows);

  const notice: Office['notice'] = async (customer, messageId, ordinal = 0) => {
    const [row] = await query('select envelope from messages where id = $1', [messageId]);
    const envelope = openEnvelope(await vault.of(customer.id), messageId, row?.envelope as Buffer);
    const { headers, body } = await notices.noticeFor({ customerId: customer.id, messageId, ordinal, envelope });
    return PostalMime.parse(`${headers}\r\n${body.toString()}`);
  };
  return {
    app,
    clock,
    notice,
    query,
    async leave(customer, message) {
      const id = await send(app, customer.key, message);
      const path = linkIn(await notice(customer, id));
      await query(
        `update message_recipients set state = 'noticed', portal = true, due_at = null where message_id = $1`,
        [id],
      );
      return { id, path };
    },
    async sweep() {
      const tasks = await createTestTasks(app.installation, db);
      await tasks['sweep.hourly']?.({});
    },
  };
}

/** Where the link of a notice leads, in both of its parts. */
export function linkIn({ text = '', html = '' }: Email): string {
  const [path] = /\/pickup\/[\w-]{43}(?!\w)/.exec(text) ?? assert.fail('no link');
  assert.ok(html.includes(`${path}"`));
  return path;
}

/** The code in the last mail to an address. */
export async function lastCode({ app }: Office, { key }: TestCustomer, address: string): Promise<string> {
  const { body } = await app.request('GET', `/v1/email/message_log?to=${encodeURIComponent(address)}&limit=1`, { key });
  const { sourceTrackingId: id } = body.data[0];
  const { body: whole } = await app.request('GET', `/v1/email/message_log/${id}`, { key });
  return /\b\d{8}\b/.exec(whole.data.content.text)?.[0] ?? assert.fail('no code');
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Somebody with a browser who has come by a link. */
export interface Visitor {
  cookie: string;
  get(path?: string): Promise<Answer>;
  bytes(path: string): Promise<{ headers: Headers; body: Buffer }>;
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
}

export function visit({ app, clock }: Office, link: string): Visitor {
  const visitor: Visitor = {
    cookie: '',
    get: (path = '') => ask('GET', path, {}),
    async bytes(path) {
      const reply = await fetch(app.url + link + path, { headers: { cookie: visitor.cookie } });
      return { headers: reply.headers, body: Buffer.from(await reply.arrayBuffer()) };
    },
    post: (path, fields = {}, headers = {}) =>
      ask('POST', path, {
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
  };
  async function ask(method: string, path: string, init: { body?: string; headers?: Record<string, string> }) {
    clock.advance(1); // what comes later has a later id
    const headers = { cookie: visitor.cookie, ...init.headers };
    const reply = await fetch(app.url + link + path, { ...init, method, headers, redirect: 'manual' });
    const [cookie] = reply.headers.getSetCookie();
    if (cookie !== undefined) visitor.cookie = cookie.split(';', 1)[0] as string;
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }
  return visitor;
}

/** Somebody who has asked for a code, and got in with it. */
export async function comeIn(
  office: Office,
  customer: TestCustomer,
  { path, address }: { path: string; address: string },
): Promise<Visitor> {
  const visitor = visit(office, path);
  assert.equal((await visitor.post('/code')).status, 303);
  const opened = await visitor.post('/open', { code: await lastCode(office, customer, address) });
  assert.deepEqual([opened.status, opened.headers.get('location')], [303, path]);
  return visitor;
}
