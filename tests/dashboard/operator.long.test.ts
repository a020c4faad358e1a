import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { asOwner } from '../support/owner.ts';
import { enter } from './enter.ts';

test('an operator adds a customer whose owner comes in by the link', async (t) => {
  const app = await startApp(t);
  const browser = await openBrowser(t);
  const { page } = await enter(browser, { app, customer: null, role: 'operator', path: '/operator/customers' });
  await page.getByText('No customer yet').waitFor();
  await page.getByRole('button', { name: 'Add a customer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Elm Street Clinic');
  await dialog.getByLabel('Username').fill('Elm Street');
  await dialog.getByLabel('Email address of the owner').fill('dana@elm-clinic.example');
  await dialog.getByRole('button', { name: 'Add and invite' }).click();
  await dialog.getByRole('alert').getByText('takes 2 to 63').waitFor();
  await dialog.getByLabel('Username').fill('elm');
  await dialog.getByRole('button', { name: 'Add and invite' }).click();
  await page.getByRole('heading', { name: 'Elm Street Clinic is added' }).waitFor();
  const link = (await page.getByLabel('Setup link', { exact: true }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  await page
    .getByRole('row', { name: /Elm Street Clinic/ })
    .getByText('Missing')
    .waitFor();
  const token = new URL(link).hash.slice(1);
  const setUp = { token, password: 'seven quiet lanterns float' };
  assert.equal((await app.request('POST', '/app/api/setup', { body: setUp })).status, 200);
  await page.context().close();
});

test('an operator who opens home finds the health of the machine, and tries a failed job again', async (t) => {
  const app = await startApp(t);
  await asOwner(app, async (client) => {
    await client.query(`select graphile_worker.add_job('partitions.daily')`);
    await client.query(`update graphile_worker._private_jobs set attempts = 25, last_error = 'read ECONNRESET'`);
  });
  const browser = await openBrowser(t);
  const { page } = await enter(browser, { app, customer: null, role: 'operator', path: '/' });
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
  await page.getByText('1 thing needs a look').waitFor();
  await page.getByText('No worker was heard of lately').waitFor();
  await page.getByRole('link', { name: 'Jobs' }).click();
  const row = page.getByRole('row', { name: /partitions\.daily/ });
  await row.getByText('ECONNRESET').waitFor();
  await row.getByText('Given up').waitFor();
  await row.getByRole('button', { name: 'Try partitions.daily again now' }).click();
  await page.getByText('partitions.daily begins again.').waitFor();
  await row.getByText('Given up').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Nodes' }).click();
  await page.getByRole('row', { name: /http/ }).getByText('There').waitFor();
  await page.context().close();
});
