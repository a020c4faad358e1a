import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openOffice } from './email-visit.ts';

const MESSAGES = '**/v1/email/messages';
const NO_CONNECTION = 'The server cannot be reached';

let office: Awaited<ReturnType<typeof openOffice>>;
before(async (t) => {
  office = await openOffice(t as TestContext);
});

/** Somebody who has written a message and has yet to send it. */
async function write(to: string): Promise<Page> {
  const { page } = await office.open('/email/messages/new');
  await page.getByLabel('From', { exact: true }).fill('office@maple.example');
  await page.getByLabel('To', { exact: true }).fill(to);
  await page.getByLabel('Subject').fill('Your visit');
  await page.getByLabel('Text', { exact: true }).fill('See you on Monday.');
  return page;
}

const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const messagesTo = async (to: string): Promise<number> =>
  (await office.ask('GET', `/v1/email/message_log?to=${to}`)).body.data.length;

/** Two clicks with nothing between them, as they are handled where the machine is busy. */
const clickTwice = (button: { click(): void }) => {
  button.click();
  button.click();
};

test('what is pressed twice is done once', async () => {
  const page = await write('twice@patients.example');
  await sendButton(page).evaluate(clickTwice);
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.equal(await messagesTo('twice@patients.example'), 1);

  await page.goto(`${office.app.url}/app/forms/new`);
  await page.getByLabel('Title of the form').fill('Pressed twice');
  await page.getByRole('button', { name: 'Use this: Blank form' }).evaluate(clickTwice);
  await page.waitForURL(/\/edit$/);
  const { body } = await office.ask('GET', `/v1/forms/api/forms?customer_id=${office.customer.id}&search=Pressed`);
  assert.equal(body.results.length, 1);
  await page.context().close();
});

test('what was sent cannot be sent again while the page that follows is on its way', async () => {
  const page = await write('patience@patients.example');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
  await page.route('**/message-page*.js', async (route) => {
    tellAsked();
    await held;
    await route.continue();
  });
  await sendButton(page).click();
  await asked;
  await page.getByText('The message was accepted.').waitFor();
  assert.equal(await sendButton(page).isDisabled(), true);
  release();
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  await page.context().close();
});

test('a message whose answer got lost is not sent anew by pressing Send again', async () => {
  const page = await write('lost@patients.example');
  await page.route(
    MESSAGES,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await sendButton(page).click();
  await page.getByText(NO_CONNECTION).waitFor();
  await sendButton(page).click();
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.equal(await messagesTo('lost@patients.example'), 1);
  await page.context().close();
});

test('who has no connection is told so, and what they leave then is not sent once it is back', async () => {
  const page = await write('offline@patients.example');
  await page.context().setOffline(true);
  await sendButton(page).click();
  await page.getByText(NO_CONNECTION).waitFor();
  await page.getByLabel('To', { exact: true }).fill('later@patients.example');
  await page.context().setOffline(false);
  await sendButton(page).click();
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.deepEqual([await messagesTo('offline@patients.example'), await messagesTo('later@patients.example')], [0, 1]);
  await page.context().close();
});

test('an answer that is none of the product is told in words', async () => {
  const page = await write('gateway@patients.example');
  await page.route(MESSAGES, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }));
  await sendButton(page).click();
  await page.getByText('The server gave no proper answer (502)').waitFor();
  await page.context().close();
});
