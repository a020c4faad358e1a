import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, type TestContext, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { hashPassword, setPassword } from '../../src/accounts/index.ts';
import type { Role } from '../../src/platform/http/access.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { enter } from './enter.ts';

const PASSWORD = 'seven quiet lanterns float';

let app: TestApp;
let browser: Browser;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  browser = await openBrowser(t as TestContext);
});

async function open(customer: TestCustomer, path: string, role: Role = 'owner'): Promise<Page> {
  const { page } = await enter(browser, { app, customer, role, path });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

test('a key is made and shown once, calls the API, and is refused after it was revoked', async () => {
  const customer = await app.createCustomer();
  const page = await open(customer, '/settings/keys', 'admin');
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Scheduling system');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await dialog.getByText('Choose at least one.').waitFor();
  await dialog.getByLabel('Forms').check();
  await dialog.getByLabel('Sends from').fill('clinic, elm.example');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  await dialog.getByText('is not a domain name').waitFor();
  await dialog.getByLabel('Sends from').fill('Elm.example oak.example');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  const key = (await page.getByLabel('API key', { exact: true }).textContent()) ?? '';
  assert.match(key, /^cp_live_/);
  const call = () => app.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key });
  assert.equal((await call()).status, 200);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByText('Scheduling system').waitFor();
  await page.getByText('from elm.example, oak.example').waitFor();
  assert.ok(!(await page.content()).includes(key), 'it is not shown again');
  await page.getByRole('button', { name: 'Revoke Scheduling system' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('"Scheduling system" is revoked.').waitFor();
  await eventually(async () => (await call()).status === 401);
  await page.getByLabel('Show one key that has ended').check();
  await page.getByText('Revoked', { exact: true }).waitFor();
  await page.context().close();
});

test('somebody is invited, gets another role, gets it back by undo, and is removed', async () => {
  const page = await open(await app.createCustomer(), '/settings/team');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Robin Vale');
  await dialog.getByLabel('Email address').fill(`robin-${process.pid}@maple-clinic.example`);
  await dialog.getByRole('radio', { name: /^Reader/ }).check();
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByRole('heading', { name: 'Robin Vale is invited' }).waitFor();
  assert.match((await page.getByLabel('Setup link', { exact: true }).textContent()) ?? '', /\/app\/setup#/);
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Robin Vale/ });
  await row.getByText('Invited').waitFor();
  await row.getByRole('button', { name: 'Actions for Robin Vale' }).click();
  await page.getByRole('menuitem', { name: 'Change the role' }).click();
  await page.getByRole('radio', { name: /^Editor/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Robin Vale is now editor.').waitFor();
  await row.getByRole('cell', { name: 'Editor' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByRole('cell', { name: 'Reader' }).waitFor();
  await row.getByRole('button', { name: 'Actions for Robin Vale' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Robin Vale is removed.').waitFor();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Show one person who was removed').check();
  await row.getByText('Removed').waitFor();
  await page.context().close();
});

test('an owner reads the agreement, signs it and downloads what was signed', async () => {
  const customer = await app.createCustomer({ agreement: false });
  const page = await open(customer, '/settings/agreement');
  await page.getByRole('alert').getByText('Not in force').waitFor();
  await page.getByRole('region', { name: 'Business Associate Agreement' }).getByText('1. The parties').waitFor();
  await page.getByLabel('Your full name').fill('Dana Reyes');
  await page.getByLabel('Your title').fill('Practice manager');
  await page.getByLabel(/I have read the agreement/).check();
  await page.getByRole('button', { name: 'Sign the agreement' }).click();
  await page.getByText('The agreement is signed and in force.').waitFor();
  await page.getByText('Dana Reyes, Practice manager').first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the signed PDF' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^agreement-\d{4}-\d\d-\d\d\.pdf$/);
  assert.equal((await readFile(await download.path())).subarray(0, 5).toString(), '%PDF-');
  await page.context().close();
});

test('the audit log is filtered by its address, tells details, is exported and verified', async () => {
  const customer = await app.createCustomer();
  const body = { customer_id: customer.id, title: 'Intake', form_json: {} };
  await app.request('POST', '/v1/forms/api/forms', { key: customer.key, body });
  const page = await open(customer, '/settings/audit', 'admin');
  await page.getByRole('button', { name: 'Details of User: created' }).first().waitFor();
  await page.getByLabel('What').selectOption('form.created');
  await page.waitForURL(/action=form\.created/);
  await page.getByRole('button', { name: 'Details of User: created' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Details of Form: created' }).click();
  await page.getByRole('dialog').getByText('version').waitFor();
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /form\.created/);
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('Whole', { exact: true }).waitFor();
  await page.context().close();
});

test('retention is set, everything held and released, the clinic renamed, and the account closed by typing its name', async () => {
  const customer = await app.createCustomer();
  const page = await open(customer, '/settings/retention');
  await page.getByLabel('For a number of days').check();
  await page.getByLabel('Days', { exact: true }).fill('365');
  const part = (name: string) => page.getByRole('region', { name });
  await part('Submissions of new forms').getByRole('button', { name: 'Save' }).click();
  await page.getByText('New forms keep their submissions as you said.').waitFor();
  await page.getByLabel('Deliveries of webhooks, in days').fill('30');
  await part('Everything else').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Things are kept as you said.').waitFor();
  await page.getByRole('button', { name: 'Set a hold' }).click();
  await page.getByRole('dialog').getByLabel('Everything').check();
  await page.getByRole('dialog').getByLabel('Reason').fill('Case 12');
  await page.getByRole('dialog').getByRole('button', { name: 'Set a hold' }).click();
  await page.getByText('The hold stands.').waitFor();
  await part('Legal holds').getByRole('button', { name: 'Release' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Settled');
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await page.getByText('The hold is released.').waitFor();
  await page.goto(`${app.url}/app/settings/clinic`);
  await page.getByLabel('Name', { exact: true }).fill('Elm Street Clinic');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The name is changed.').waitFor();
  await page.getByRole('button', { name: 'Close the account' }).click();
  const dialog = page.getByRole('dialog');
  const closing = dialog.getByRole('button', { name: 'Close the account' });
  assert.equal(await closing.isDisabled(), true);
  await dialog.getByLabel(`Type ${customer.username} to go on`).fill(customer.username);
  await closing.click();
  await page.getByText('This account is closed').waitFor();
  assert.equal((await app.request('GET', '/app/api/session')).body.state, 'signed-out');
  await eventually(async () => {
    const reply = await app.request('GET', `/v1/forms/api/forms?customer_id=${customer.id}`, { key: customer.key });
    return reply.status === 401;
  });
  await page.context().close();
});

test('somebody changes the address that they sign in with by their password and the code that was sent there', async () => {
  const customer = await app.createCustomer();
  const { page, person } = await enter(browser, { app, customer, role: 'editor', path: '/settings/account' });
  const { db } = app.installation;
  const hash = await hashPassword(PASSWORD);
  await db.tenant([customer.id], (tx) => setPassword(tx, { customerId: customer.id, userId: person.userId }, hash));
  const wanted = `ann-${process.pid}@maple-clinic.example`;
  const [address, code] = [page.getByLabel('New email address'), page.getByLabel('Code from the mail')];
  const hasFocus = (field: Locator) => field.and(page.locator(':focus')).waitFor();
  const ask = async (password: string) => {
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Mail a code there' }).click();
  };
  await address.fill(wanted);
  await ask(`${PASSWORD} not`);
  await page.getByText('Is not right').waitFor();
  await ask(PASSWORD);
  await hasFocus(code);
  await page.getByRole('button', { name: 'Another address' }).click();
  await hasFocus(address);
  assert.equal(await address.inputValue(), wanted);
  await ask(PASSWORD);
  const hint = (await page.getByText('here is the code').textContent()) ?? '';
  await code.fill('00000000x');
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByText('Is not right, was sent more than an hour ago, or the address cannot be used').waitFor();
  await page.getByRole('navigation', { name: 'Rooms' }).getByRole('link', { name: 'Home' }).click();
  await code.waitFor({ state: 'detached' });
  await page.goBack();
  await code.fill(/\d{8}/.exec(hint)?.[0] ?? '');
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByText('From now on you sign in with the new address.').waitFor();
  await page.getByText(`Now it is ${wanted}.`).waitFor();
  await page.context().close();
});
