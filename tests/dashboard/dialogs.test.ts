import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { enter } from './enter.ts';

const PATIENCE_MS = 20_000;

let app: TestApp;
let browser: Browser;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  browser = await openBrowser(t as TestContext);
});

async function openTeam(): Promise<{ page: Page; opener: Locator; dialog: Locator }> {
  const { page } = await enter(browser, {
    app,
    customer: await app.createCustomer(),
    role: 'owner',
    path: '/settings/team',
  });
  return { page, opener: page.getByRole('button', { name: 'Invite somebody' }), dialog: page.getByRole('dialog') };
}

test('a dialog is described by its lead', async () => {
  const { page, opener, dialog } = await openTeam();
  await opener.click();
  const id = (await dialog.getAttribute('aria-describedby')) ?? '';
  assert.match(await page.locator(`[id="${id}"]`).innerText({ timeout: PATIENCE_MS }), /^They get a mail/);
  await page.context().close();
});
