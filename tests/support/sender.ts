import assert from 'node:assert/strict';
import { before, type TestContext } from 'node:test';
import { type Reply, startApp, type TestApp, type TestCustomer } from './app.ts';
import { eventually } from './eventually.ts';

export const PATH = '/v1/email/messages';

/** The app of a test file that sends messages, and its customer. */
export let app: TestApp;
export let customer: TestCustomer;

/** Starts the app before the tests of a file. */
export function startSender(): void {
  before(async (t) => {
    app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
    customer = await app.createCustomer();
  });
}

export type Fields = Record<string, unknown>;

export const HEADERS = { from: 'Clinic <clinic@example.org>', subject: 'Your results' };

export function message(changes: Fields = {}): Fields {
  return { recipients: ['ann@example.com'], headers: HEADERS, content: { 'text/plain': 'Here.' }, ...changes };
}

export function send(changes: Fields = {}, more: Fields = {}): Promise<Reply> {
  return app.request('POST', PATH, { key: customer.key, body: { data: { message: message(changes), ...more } } });
}

export function assertAccepted({ status, body }: Reply, what?: unknown): void {
  assert.equal(status, 200, JSON.stringify(what));
  assert.deepEqual(Object.keys(body), ['sourceTrackingId', 'customHeaders', 'data']);
  assert.equal(body.data, 'Service OK');
}

export function assertRefused({ status, body }: Reply, expected: number, what?: unknown): void {
  assert.equal(status, expected, JSON.stringify(what));
  assert.deepEqual(Object.keys(body), ['errors']);
  assert.equal(body.errors.length, 1);
  const { code, title, details, ...rest } = body.errors[0];
  assert.equal(code, expected);
  for (const text of [title, details]) assert.ok(typeof text === 'string' && text !== '');
  assert.deepEqual(rest, {});
}

export let mails = 0;

/** Sends a message as it is to an address of its own and waits until it is in the sandbox. */
export async function deliver(changes: Fields = {}, headers: Fields = {}) {
  mails += 1;
  const to = `mail-${mails}@example.com`;
  const untracked = { override_open_tracking: false, override_link_tracking: false };
  const reply = await send({ recipients: [to], headers: { ...HEADERS, ...headers }, ...changes }, untracked);
  assertAccepted(reply, changes);
  return arrived(to);
}

export async function arrived(to: string) {
  const [mail] = await eventually(async () => {
    const { body } = await app.request('GET', `/v1/email/sandbox/messages?to=${to}`, { key: customer.key });
    return body.data.length > 0 && body.data;
  });
  return mail;
}

export async function storedMessages(): Promise<number> {
  const rows = await app.installation.db.tenant([customer.id], (tx) =>
    tx.selectFrom('messages').select('id').execute(),
  );
  return rows.length;
}
export const attachment = (changes: Fields = {}) => ({
  fileName: 'a.txt',
  contentType: 'text/plain',
  content: 'YWJj',
  ...changes,
});
