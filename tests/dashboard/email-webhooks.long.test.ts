import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { findNothingWrong } from '../e2e/axe.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { openOffice } from './email-visit.ts';

test('a webhook is added, a failing delivery is seen and sent again once the server works', async (t) => {
  const { open, app, customer } = await openOffice(t, 'admin');
  const receiver = await startReceiver(t);
  receiver.answer({ status: 503 });
  const { page, errors } = await open('/email/webhooks');
  await page.getByRole('button', { name: 'Add a webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('http://10.0.0.1/hook');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Choose at least one.').waitFor();
  await dialog.getByLabel('A message was delivered').check();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Address').fill(receiver.url);
  await findNothingWrong(page, 'adding a webhook');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = (await page.getByLabel('Signing secret', { exact: true }).textContent()) ?? '';
  assert.match(secret, /^whsec_/);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
  assert.equal(await page.getByText(secret).count(), 0, 'shown once');

  await send(app, customer.key, messageTo('ann@patients.example'));
  await receiver.atLeast(1);
  await eventually(async () => {
    await page.getByRole('button', { name: 'Look again' }).click();
    return (await page.getByText('Failing, is tried again').count()) > 0;
  });
  await page.getByRole('button', { name: 'A message was delivered, number 1' }).click();
  await dialog.getByText('Refused').first().waitFor();
  await dialog.getByText('Status 503').first().waitFor();
  await findNothingWrong(page, 'a failing delivery');
  receiver.answer({ status: 204 });
  const tried = receiver.received.length;
  await dialog.getByRole('button', { name: 'Try again now' }).click();
  const calls = await receiver.atLeast(tried + 1);
  await dialog.getByText('Taken').first().waitFor();
  const [last] = calls.slice(-1);
  new Webhook(secret).verify(last?.raw ?? '', last?.headers as Record<string, string>);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Send a range again' }).click();
  await dialog.getByLabel('Number').check();
  await dialog.getByLabel('From', { exact: true }).fill('1');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('1 event is sent again.').waitFor();
  await receiver.atLeast(calls.length + 1);
  assert.deepEqual(
    errors.filter((each) => !each.includes('422')),
    [],
  );
});

test('a webhook is tested, changed, paused and switched on, gets a new secret and is removed', async (t) => {
  const { open, ask } = await openOffice(t, 'admin');
  const receiver = await startReceiver(t);
  const events = ['api_mail_log_delivered', 'forms.submission.created'];
  const { body: made } = await ask('POST', '/v1/webhooks/endpoints', { target_url: receiver.url, events });
  const { page } = await open(`/email/webhooks/${made.data.id}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await dialog.getByLabel('Event').selectOption('A form was submitted');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const [call] = await receiver.atLeast(1);
  assert.deepEqual([call?.body.event_name, call?.body.test], ['forms.submission.created', true]);
  const row = page.getByRole('row', { name: /A form was submitted/ });
  await row.getByText('Taken').waitFor();
  await row.getByText('Test', { exact: true }).waitFor();
  await findNothingWrong(page, 'a webhook');

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('A form was submitted').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The webhook was changed.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Nothing is sent to it until you switch it on.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send a test event' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('button', { name: 'More for this webhook' }).click();
  await page.getByRole('menuitem', { name: 'Make a new secret' }).click();
  await dialog.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  const { body: read } = await ask('GET', `/v1/webhooks/endpoints/${made.data.id}`);
  assert.deepEqual([read.data.status, read.data.events], ['active', ['api_mail_log_delivered']]);
  await page.getByRole('button', { name: 'More for this webhook' }).click();
  await page.getByRole('menuitem', { name: 'Remove the webhook' }).click();
  await dialog.getByRole('button', { name: 'Remove the webhook' }).click();
  await page.getByRole('heading', { name: 'No webhook yet' }).waitFor();
});
