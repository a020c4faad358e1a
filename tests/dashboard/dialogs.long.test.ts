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

const hasFocus = (place: Locator) => place.and(place.page().locator(':focus')).waitFor({ timeout: PATIENCE_MS });

test('a dialog begins in its first field and gives the focus back to what opened it, however it is closed', async () => {
  const { page, opener, dialog } = await openTeam();
  const close = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
    () => page.mouse.click(5, 5),
  ];
  for (const closed of close) {
    await opener.click();
    await hasFocus(dialog.getByLabel('Name'));
    await closed();
    await dialog.waitFor({ state: 'detached' });
    await hasFocus(opener);
  }
  await opener.click();
  await dialog.getByLabel('Name').fill('Robin Vale');
  await dialog.getByLabel('Email address').fill(`robin-dialog-${process.pid}@maple-clinic.example`);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(opener);

  const menu = page.getByRole('button', { name: 'Actions for Robin Vale' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Change the role' }).click();
  await hasFocus(dialog.getByRole('radio', { checked: true }));
  await page.keyboard.press('Escape');
  await hasFocus(menu);
  await page.getByRole('button', { name: 'Actions for Robin Vale' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await menu.waitFor({ state: 'detached' });
  await hasFocus(opener);
  await page.context().close();
});

test('a dialog whose form comes later begins in its first field then, unless somebody has gone on', async () => {
  const { page } = await enter(browser, { app, customer: null, role: 'operator', path: '/operator/emergency' });
  const dialog = page.getByRole('dialog');
  for (const hasGoneOn of [false, true]) {
    const held = Promise.withResolvers<void>();
    await page.route('**/app/api/operator/customers', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await hasFocus(dialog);
    if (hasGoneOn) await page.keyboard.press('Tab');
    held.resolve();
    await dialog.getByLabel('Customer').waitFor();
    await hasFocus(hasGoneOn ? dialog.getByRole('button', { name: 'Close' }) : dialog.getByLabel('Customer'));
    await page.reload();
    await page.unroute('**/app/api/operator/customers');
  }
  await page.context().close();
});

test('a dialog is described by its lead', async () => {
  const { page, opener, dialog } = await openTeam();
  await opener.click();
  const id = (await dialog.getAttribute('aria-describedby')) ?? '';
  assert.match(await page.locator(`[id="${id}"]`).innerText({ timeout: PATIENCE_MS }), /^They get a mail/);
  await page.context().close();
});

test('a click beside a dialog closes it only while nothing in it was changed', async () => {
  const { page, opener, dialog } = await openTeam();
  await opener.click();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: 'detached' });
  for (const change of [
    () => dialog.getByLabel('Name').pressSequentially('R'),
    () => dialog.getByRole('radio', { name: /^Reader/ }).check(),
  ]) {
    await opener.click();
    await change();
    await page.mouse.click(5, 5);
    await page.mouse.click(5, 5);
    assert.equal(await dialog.count(), 1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await page.context().close();
});

test('Escape asks before it throws away what was written', async () => {
  const { page, dialogs } = await enter(browser, {
    app,
    customer: null,
    role: 'operator',
    path: '/operator/emergency',
  });
  const dialog = page.getByRole('dialog');
  const reason = dialog.getByRole('textbox', { name: 'Reason' });
  await page.getByRole('button', { name: 'Ask for access' }).click();
  await reason.fill('Their mailings have stood still since noon.');
  await page.keyboard.press('Escape');
  assert.equal(dialogs.length, 1);
  assert.equal(await reason.inputValue(), 'Their mailings have stood still since noon.');
  await page.evaluate('window.confirm = () => true');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.context().close();
});
