import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { asOwner } from '../support/owner.ts';
import { enter } from './enter.ts';

test('home leads through the first day and to what needs attention', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer({ agreement: false });
  const browser = await openBrowser(t);
  const { page } = await enter(browser, { app, customer, role: 'owner', path: '/' });
  await page.getByText('No business associate agreement is in force').waitFor();
  const steps = page.getByRole('region', { name: 'Your first day' });
  await steps.getByRole('progressbar', { name: 'Steps done' }).waitFor();
  await steps.getByText('2 / 8').waitFor();
  await page.getByRole('link', { name: 'Read and sign it' }).click();
  await page.getByRole('heading', { name: 'Agreement', level: 1 }).waitFor();
  await page.goBack();
  await steps.getByRole('link', { name: /Publish a form/ }).click();
  await page.waitForURL(/\/app\/forms\/all/);
  await page.goBack();
  await page.getByRole('button', { name: 'Hide these steps' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.context().close();
});

test('the last seven days stand there as charts and as tables', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  for (const name of ['ann', 'ben', 'cleo']) {
    const subscriber = { email: `${name}@patients.example` };
    await app.request('POST', '/v1/marketing/subscribers', { key: customer.key, body: { subscriber } });
  }
  await asOwner(app, (client) =>
    client.query('update customers set checklist_dismissed_at = now() where id = $1', [customer.id]),
  );
  const browser = await openBrowser(t);
  const { page } = await enter(browser, { app, customer, role: 'reader', path: '/' });
  await page.getByText('Nothing needs attention').waitFor();
  const chart = page.getByRole('figure', { name: 'New subscribers' });
  await chart.getByRole('img', { name: 'New subscribers. New subscribers: 3.' }).waitFor();
  await chart.getByRole('button', { name: 'Show as a table' }).click();
  const rows = await chart.getByRole('row').allTextContents();
  assert.equal(rows.length, 8);
  assert.match(rows.at(-1) ?? '', /3$/);
  assert.doesNotMatch(await page.locator('main').innerText(), /patients\.example/);
  await page.context().close();
});
