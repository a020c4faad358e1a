import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { beginSession, endSessions, proveSession } from '../../src/accounts/index.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, type Visit } from '../support/browser.ts';
import type { SignedIn } from '../support/people-session.ts';
import { enter } from './enter.ts';

const MESSAGES = '**/v1/email/messages';
const WRITING = '/email/messages/new';
const TEXT = 'Your result is there, call us on Monday.';

let app: TestApp;
let customer: TestCustomer;
let open: (path: string) => Promise<Visit & { person: SignedIn }>;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
  const browser = await openBrowser(t as TestContext);
  open = (path) => enter(browser, { app, customer, role: 'owner', path });
});

async function write(page: Page, to: string): Promise<void> {
  await page.getByLabel('From', { exact: true }).fill('office@maple.example');
  await page.getByLabel('To', { exact: true }).fill(to);
  await page.getByLabel('Subject').fill('Your visit');
  await page.getByLabel('Text', { exact: true }).fill(TEXT);
}

const pressSend = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

/** Sends what was written; the server gets it or not, and the browser gets no answer. */
async function loseAnswer(page: Page, { arrives }: { arrives: boolean }): Promise<void> {
  await page.route(
    MESSAGES,
    async (route) => {
      if (arrives) await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await pressSend(page);
  await page.getByText('It is not known whether the message was sent').waitFor();
}

/** Ends the session, and signs the same person in anew at the same browser. */
async function signInAnew(page: Page, { userId }: SignedIn): Promise<void> {
  const { db, clock } = app.installation;
  const who = { customerId: customer.id, userId };
  const token = await db.tenant([customer.id], async (tx) => {
    await endSessions(tx, clock, who);
    await beginSession(tx, clock, who, 'Chrome on Linux');
    const { id } = await tx
      .selectFrom('user_sessions')
      .select('id')
      .where('customer_id', '=', customer.id)
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    return (await proveSession(tx, clock, { customerId: customer.id, sessionId: id })).token;
  });
  const [old] = await page.context().cookies();
  assert.ok(old);
  await page.context().addCookies([{ ...old, value: token }]);
}

/** The page for writing, in a window of the same browser that knows nothing of the one before. */
async function openAnew(page: Page): Promise<Page> {
  const context = page.context();
  const next = await context.newPage();
  await page.close();
  await next.goto(`${app.url}/app${WRITING}`);
  await next.getByRole('heading', { level: 1 }).waitFor();
  return next;
}

async function messagesTo(to: string): Promise<number> {
  const { body } = await app.request('GET', `/v1/email/message_log?to=${to}`, { key: customer.key });
  return body.data.length;
}

test('a message whose answer was lost with the session is told as sent, and goes out once though it is written anew', async () => {
  const opened = await open(WRITING);
  const { person } = opened;
  let { page } = opened;
  const to = 'gone@patients.example';
  await write(page, to);
  await loseAnswer(page, { arrives: true });
  const kept = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
  assert.ok(String(kept).includes('sendMessage'));
  for (const secret of [to, 'gone', 'office@maple', 'Your visit', TEXT])
    assert.ok(!String(kept).includes(secret), secret);

  await signInAnew(page, person);
  page = await openAnew(page);
  await page.getByText('The message was sent').waitFor();
  await write(page, to);
  await pressSend(page);
  await page.getByText('It does not go out a second time').waitFor();
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.equal(await messagesTo(to), 1);

  await page.goto(`${app.url}/app${WRITING}`);
  await write(page, to);
  assert.equal(await page.getByText('The message was sent').count(), 0, 'it has been told');
  await pressSend(page);
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.equal(await messagesTo(to), 2, 'whoever wants to send it again can');
  await page.context().close();
});

test('a message that did not arrive is told as not known, and goes out once where it arrives late and is sent again', async () => {
  const opened = await open(WRITING);
  const { person } = opened;
  let { page } = opened;
  const to = 'late@patients.example';
  await write(page, to);
  let late: (() => Promise<unknown>) | undefined;
  page.on('requestfailed', (request) => {
    const headers = { ...request.headers(), cookie: person.cookie };
    const body = JSON.parse(request.postData() ?? '{}');
    if (request.method() === 'POST') late = () => app.request('POST', '/v1/email/messages', { headers, body });
  });
  await loseAnswer(page, { arrives: false });
  page = await openAnew(page);
  await page.getByText('It is not known whether the message was sent').waitFor();
  await late?.();
  await write(page, to);
  await pressSend(page);
  await page.getByText('It does not go out a second time').waitFor();
  assert.equal(await messagesTo(to), 1);
  await page.context().close();
});

test('a message that is another one, or another person’s, is sent though an answer was lost before', async () => {
  const opened = await open(WRITING);
  const { person } = opened;
  let { page } = opened;
  const to = 'other@patients.example';
  await write(page, to);
  await loseAnswer(page, { arrives: true });
  const colleague = await open('/home');
  await colleague.page.context().close();
  const [old] = await page.context().cookies();
  assert.ok(old && person.userId !== colleague.person.userId);
  await page.context().addCookies([{ ...old, value: colleague.person.cookie.split('=')[1] ?? '' }]);
  page = await openAnew(page);
  await write(page, to);
  assert.equal(await page.getByText('The message was sent').count(), 0, 'it is not theirs');
  await pressSend(page);
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.equal(await messagesTo(to), 2);
  await page.context().close();
});

test('a hold whose answer got lost is set once, also where its window was closed and filled in again', async () => {
  const { page } = await open('/settings/retention');
  const setHold = async () => {
    await page.getByRole('button', { name: 'Set a hold' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('lee@patients.example');
    await dialog.getByLabel('Reason').fill('Lee v. Clinic');
    await dialog.getByRole('button', { name: 'Set a hold' }).click();
  };
  await page.route(
    '**/app/api/holds',
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      await route.abort();
    },
    { times: 2 },
  );
  await setHold();
  await page.getByText('The server cannot be reached').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.unroute('**/app/api/holds');
  await setHold();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { db } = app.installation;
  const holds = await db.tenant([customer.id], (tx) =>
    tx.selectFrom('legal_holds').select('id').where('customer_id', '=', customer.id).execute(),
  );
  assert.equal(holds.length, 1);
  await page.context().close();
});
