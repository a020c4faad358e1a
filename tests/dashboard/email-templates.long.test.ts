import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { findNothingWrong } from '../e2e/axe.ts';
import { openOffice } from './email-visit.ts';

/** Writes over what the editor holds, as a person does by keyboard. */
async function rewrite(page: Page, code: Locator, text: string): Promise<void> {
  await code.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

test('a template is written beside its live preview, saved, taken back to an earlier version, and sent', async (t) => {
  const { open, ask } = await openOffice(t);
  const { page, errors } = await open('/email/templates');
  await page.getByRole('button', { name: 'New template' }).first().click();
  await page.getByLabel('Name').fill('Appointment');
  await page.getByRole('button', { name: 'Create and write' }).click();
  await page.getByRole('heading', { name: 'Appointment', level: 1 }).waitFor();
  const frame = page.frameLocator('iframe[title="Preview"]');
  await frame.getByRole('heading', { name: 'Your appointment' }).waitFor();

  await page.getByLabel('first_name').fill('Ann <b>Lee</b>');
  await frame.getByText('Dear Ann <b>Lee</b>,').waitFor();
  await page.getByLabel('date', { exact: true }).fill('3 May');
  await page.getByText('Your appointment on 3 May').waitFor();
  await page.getByText('Without a value: time').waitFor();

  const code = page.getByRole('textbox', { name: 'HTML' });
  await rewrite(page, code, '<p>Bring {{thing}}</p>{{#if');
  await page.getByText('The text cannot be rendered yet').waitFor();
  await rewrite(page, code, '<p>Bring {{thing}}</p>');
  await page.getByLabel('thing', { exact: true }).fill('your card');
  await frame.getByText('Bring your card').waitFor();
  await page.getByRole('button', { name: 'Phone' }).click();
  assert.ok(((await page.locator('iframe[title="Preview"]').boundingBox())?.width ?? 999) <= 390);
  await findNothingWrong(page, 'the editor');
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.getByText('Saved as version 2.').waitFor();

  await page.getByRole('button', { name: 'More for this template' }).click();
  await page.getByRole('menuitem', { name: 'Earlier versions' }).click();
  await page.getByRole('button', { name: 'Take up: Version 1' }).click();
  await frame.getByRole('heading', { name: 'Your appointment' }).waitFor();
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.getByText('Saved as version 3.').waitFor();

  await page.getByRole('link', { name: 'Send a message with it' }).click();
  await page.getByLabel('From', { exact: true }).fill('office@maple.example');
  await page.getByLabel('To', { exact: true }).fill('ben@patients.example');
  for (const [name, value] of [
    ['first_name', 'Ben'],
    ['date', '4 May'],
    ['time', '9:30'],
  ] as const) {
    await page.getByLabel(name, { exact: true }).fill(value);
  }
  await frame.getByText('on 4 May at 9:30').waitFor();
  await findNothingWrong(page, 'sending by a template');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: 'Your appointment on 4 May', level: 1 }).waitFor();
  assert.deepEqual(
    errors.filter((each) => !each.includes('400')),
    [],
  );
  const { body } = await ask('GET', '/v1/email/message_log');
  assert.deepEqual(body.data[0].to, ['ben@patients.example']);
});

test('a list that cannot be read keeps a message from being sent', async (t) => {
  const { open, ask } = await openOffice(t);
  const { body: made } = await ask('POST', '/v1/email/dynamic_templates', {
    name: 'Bring along',
    subject: 'What to bring',
    body: '<ul>{{#each things}}<li>{{name}}</li>{{/each}}</ul>',
  });
  const { page, errors } = await open(`/email/messages/new?template=${made.id}`);
  await page.getByLabel('From', { exact: true }).fill('office@maple.example');
  await page.getByLabel('To', { exact: true }).fill('ben@patients.example');
  const list = page.getByLabel('things', { exact: true });
  await list.fill('[{"name": "your card"');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('textarea[aria-invalid=true]:focus').waitFor();
  assert.deepEqual((await ask('GET', '/v1/email/message_log')).body.data, []);
  await list.fill('[{"name": "your card"}]');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: 'What to bring', level: 1 }).waitFor();
  assert.deepEqual(errors, []);
});

test('what is not saved is not lost without asking, and a deleted template is gone', async (t) => {
  const { open, ask } = await openOffice(t);
  const { body: made } = await ask('POST', '/v1/email/dynamic_templates', { name: 'Invoice', body: '<p>{{sum}}</p>' });
  const visit = await open(`/email/templates/${made.id}`);
  const { page } = visit;
  await page.getByLabel('Subject').fill('Your invoice');
  await page.getByRole('link', { name: 'Suppressions' }).click();
  // The browser's question is dismissed, which means to stay.
  await page.getByRole('heading', { name: 'Invoice', level: 1 }).waitFor();
  assert.equal(visit.dialogs.length, 1);
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.getByText('Saved as version 2.').waitFor();
  await page.getByRole('button', { name: 'More for this template' }).click();
  await page.getByRole('menuitem', { name: 'Delete the template' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the template' }).click();
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  assert.deepEqual((await ask('GET', '/v1/email/dynamic_templates')).body, []);
});

test('who only reads sees templates, domains and webhooks, and is offered no change', async (t) => {
  const { open, ask } = await openOffice(t, 'reader');
  const { body: made } = await ask('POST', '/v1/email/dynamic_templates', {
    name: 'Invoice',
    body: '<p>Sum {{sum}}</p>',
  });
  const { page, errors } = await open(`/email/templates/${made.id}`);
  await page.frameLocator('iframe[title="Preview"]').getByText('Sum').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save as a new version' }).count(), 0);
  const code = page.getByRole('textbox', { name: 'HTML' });
  await code.click();
  await page.keyboard.type('Changed');
  assert.equal((await code.textContent())?.includes('Changed'), false);
  await page.getByRole('link', { name: 'Domains' }).click();
  await page.getByRole('heading', { name: 'No domain yet' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add a domain' }).count(), 0);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add a webhook' }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Messages' }).count(), 0);
  assert.deepEqual(errors, []);
});
