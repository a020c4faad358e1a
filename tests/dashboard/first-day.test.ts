import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, visit } from '../support/browser.ts';
import { codeOf } from '../support/people-session.ts';
import { createHome, startServer } from '../support/server.ts';

test('from the first start by the link that it printed to the first message that was sent', async (t) => {
  const server = await startServer(t, await createHome(t));
  const link = /http\S+\/app\/setup#\S+/.exec(server.output())?.[0] as string;
  const browser = await openBrowser(t);
  const { page } = await visit(browser, link, { viewport: { width: 1280, height: 1000 } });
  await page.getByLabel('Your name').fill('Ann Lee');
  await page.getByLabel('New password').fill('seven quiet lanterns float');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.getByLabel('Or type this key into the app').first().textContent()) ?? '';
  await page.getByLabel('Six-digit code').fill(codeOf(secret, new Date()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();

  const firstDay = page.getByRole('region', { name: 'Your first day' });
  await firstDay.getByRole('link', { name: /Send a first message/ }).click();
  await page.getByLabel('From', { exact: true }).fill('My clinic <desk@my-clinic.example>');
  await page.getByLabel('To', { exact: true }).fill('rosa@example.com');
  await page.getByLabel('Subject').fill('Hello');
  await page.getByLabel('Text', { exact: true }).fill('See you on Monday.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('region', { name: 'What happened' }).getByText('Delivered').waitFor();
  await page.getByRole('link', { name: 'Sandbox inbox' }).click();
  await page.getByRole('button', { name: /Hello/ }).click();
  await page.getByText('See you on Monday.').waitFor();

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await firstDay.getByText('4 / 8').waitFor();
  assert.match(await firstDay.innerText(), /Send a first message\s+done/);
  assert.doesNotMatch(
    server.output(),
    /seven quiet lanterns|rosa@example\.com|See you on Monday/,
    'nothing of it is logged',
  );
});
