import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { openOffice } from './email-visit.ts';

const DARK_PHONE = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

test('a domain is added, its records are copied, new keys wait for the first ones, and it is removed', async (t) => {
  const { open, ask } = await openOffice(t, 'admin');
  const { page, errors } = await open('/email/domains', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Add a domain' }).first().click();
  await page.getByLabel('Domain', { exact: true }).fill('not a domain');
  await page.getByRole('dialog').getByRole('button', { name: 'Add a domain' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('Domain', { exact: true }).fill('maple.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Add a domain' }).click();
  await page.getByRole('heading', { name: 'maple.example', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Copy: Value, Shows that the domain is yours' }).click();
  await page.getByRole('button', { name: 'Copied: Value, Shows that the domain is yours' }).waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  const { body } = await ask('GET', '/v1/email/sending_domains');
  assert.equal(copied, body.data[0].records.find(({ purpose }: { purpose: string }) => purpose === 'ownership').value);
  await page.getByLabel('Begin slowly').uncheck();
  await page.getByText('The domain sends without a limit.').waitFor();
  await findNothingWrong(page, 'a domain');

  await page.getByRole('button', { name: 'More for this domain' }).click();
  await page.getByRole('menuitem', { name: 'Make new signing keys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make new signing keys' }).click();
  await page.getByRole('alert').getByText('wait to be seen in DNS').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More for this domain' }).click();
  await page.getByRole('menuitem', { name: 'Remove the domain' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the domain' }).click();
  await page.getByRole('heading', { name: 'No domain yet' }).waitFor();

  await page.getByLabel('Follow opens').uncheck();
  await page.getByText('Saved').waitFor();
  assert.equal((await ask('GET', '/v1/email/settings')).body.data.open_tracking, false);
  await page.getByLabel('Domain of the recipients').fill('old-lab.example');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('button', { name: 'Ask for verified encryption again: old-lab.example' }).click();
  await page.getByText('Verified encryption is asked for again.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('old-lab.example').waitFor();
  await findNothingWrong(page, 'domains');
  assert.deepEqual(
    errors.filter((each) => !/40[09]/.test(each)),
    [],
  );
});

test('an address is suppressed, gets mail again, and is suppressed once more by undo', async (t) => {
  const { open, ask } = await openOffice(t);
  const { page } = await open('/email/suppressions');
  await page.getByRole('button', { name: 'Suppress an address' }).click();
  await page.getByLabel('Address', { exact: true }).fill('moved@patients.example');
  await page.getByRole('button', { name: 'Suppress', exact: true }).click();
  await page.getByRole('cell', { name: 'moved@patients.example', exact: true }).waitFor();
  await findNothingWrong(page, 'suppressions');
  await page.getByRole('button', { name: 'Allow again: moved@patients.example' }).click();
  await page.getByRole('heading', { name: 'No address is suppressed' }).waitFor();
  assert.deepEqual((await ask('GET', '/v1/email/suppressions')).body.data, []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('cell', { name: 'moved@patients.example', exact: true }).waitFor();
  await page.getByLabel('Find an address', { exact: true }).fill('other@patients.example');
  await page.getByLabel('Find an address', { exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'No suppressed address fits' }).waitFor();
  assert.doesNotMatch(page.url(), /patients/);
});

test('every page of the room is fit for a phone in the dark', async (t) => {
  const { open, ask, app, customer } = await openOffice(t, 'admin');
  const message = await send(
    app,
    customer.key,
    messageTo('ann@patients.example', { content: { 'text/html': '<p>Hello</p>' } }),
  );
  const { body: template } = await ask('POST', '/v1/email/dynamic_templates', {
    name: 'Invoice',
    body: '<p>{{sum}}</p>',
  });
  const { body: domain } = await ask('POST', '/v1/email/sending_domains', { domain: 'maple.example' });
  const events = ['api_mail_log_delivered'];
  const { body: hook } = await ask('POST', '/v1/webhooks/endpoints', { target_url: `${app.url}/nowhere`, events });
  await ask('POST', `/v1/webhooks/endpoints/${hook.data.id}/test`, {});
  await ask('POST', '/v1/email/suppressions', { address: 'moved@patients.example' });
  await eventually(async () => (await ask('GET', '/v1/email/sandbox/messages')).body.data.length > 0);
  const { page, errors } = await open('/email/messages', DARK_PHONE);
  for (const path of [
    'messages',
    `messages/${message}`,
    `messages/new?template=${template.id}`,
    'templates',
    `templates/${template.id}`,
    'domains',
    `domains/${domain.data.id}`,
    'suppressions',
    'webhooks',
    `webhooks/${hook.data.id}`,
    'sandbox',
  ]) {
    await page.goto(`${app.url}/app/email/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await findNothingWrong(page, path);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${path} is too wide`);
  }
  assert.deepEqual(errors, []);
});
