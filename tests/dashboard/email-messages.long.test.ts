import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { eventually } from '../support/eventually.ts';
import { openOffice } from './email-visit.ts';

const SENT = 'Your blood test';
const TO = 'ann.lee@patients.example';

test('a first message is written, sent, seen in its log with the proof of encryption, and read in the sandbox', async (t) => {
  const { open } = await openOffice(t);
  const seen = await open('/email/messages');
  const { page, errors, requests } = seen;
  await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
  await findNothingWrong(page, 'no messages');
  await page.getByRole('link', { name: 'Send a message' }).first().click();
  await page.getByLabel('From', { exact: true }).fill('Maple Clinic <office@maple.example>');
  await page.getByLabel('To', { exact: true }).fill('nobody');
  await page.getByLabel('Subject').fill(SENT);
  await page.getByLabel('Text', { exact: true }).fill('Dear Ann,\nyour results are fine.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Is not a valid address').waitFor();
  await page.getByLabel('To', { exact: true }).fill(TO);
  await page
    .getByLabel('Attached files')
    .setInputFiles({ name: 'results.txt', mimeType: 'text/plain', buffer: Buffer.from('fine') });
  await page.getByRole('button', { name: 'Remove results.txt' }).scrollIntoViewIfNeeded();
  await findNothingWrong(page, 'writing');
  await page.getByRole('button', { name: 'Send', exact: true }).click();

  await page.getByRole('heading', { name: SENT, level: 1 }).waitFor();
  const proof = page.getByRole('region', { name: 'Delivery and proof of encryption' });
  await proof.getByText('Attempt 1').waitFor();
  await proof.getByText(/^TLSv1\.3 with/).waitFor();
  await proof.getByText('Verified', { exact: true }).waitFor();
  await proof.getByText(/^[0-9a-f]{64}$/).waitFor();
  await page.getByRole('region', { name: 'What happened' }).getByText('Delivered').waitFor();
  await page.getByText('results.txt').waitFor();
  await page.getByRole('button', { name: 'Ask now' }).click();
  await page.getByText('Messages leave', { exact: true }).waitFor();
  await findNothingWrong(page, 'one message');

  await page.getByRole('link', { name: 'Sandbox inbox' }).click();
  await page.getByRole('button', { name: SENT }).click();
  await page.getByText('your results are fine.').waitFor();
  await page.getByText('Headers').click();
  await page.getByText('Message-ID', { exact: true }).waitFor();
  await findNothingWrong(page, 'the sandbox');
  assert.deepEqual(
    errors.filter((each) => !each.includes('400')),
    [],
  );
  const addresses = requests.filter(({ url }) => url.includes('/app')).map(({ url }) => decodeURIComponent(url));
  assert.deepEqual(
    addresses.filter((url) => url.includes('ann.lee') || url.includes('blood')),
    [],
  );
});

test('a half-written message is not left without a question, and once it is sent nobody asks', async (t) => {
  const { open } = await openOffice(t);
  const { page, dialogs } = await open('/email/messages/new');
  await page.getByLabel('To', { exact: true }).fill(TO);
  await page.getByLabel('Subject').fill(SENT);
  await page.getByLabel('Text', { exact: true }).fill('Dear Ann');
  await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
  await page.waitForURL(/#content$/);
  assert.deepEqual(dialogs, []);
  await page.getByRole('link', { name: 'Templates' }).first().click();
  await eventually(async () => dialogs.length === 1);
  assert.match(dialogs[0] ?? '', /changes that are not saved/);
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Dear Ann');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: SENT, level: 1 }).waitFor();
  assert.equal(dialogs.length, 1);
});

test('an address that cannot send is not suggested as sender, and all wrong addresses are shown at once', async (t) => {
  const { open } = await openOffice(t);
  const { page } = await open('/email/messages/new');
  const from = page.getByLabel('From', { exact: true });
  assert.match(await from.inputValue(), /@example\.org$/);
  await page.route('**/app/api/session', async (route) => {
    const reply = await route.fetch();
    const session = await reply.json();
    await route.fulfill({ response: reply, json: { ...session, user: { ...session.user, email: 'owner@localhost' } } });
  });
  await page.reload();
  await from.waitFor();
  assert.equal(await from.inputValue(), '');
  await from.fill('Maple Clinic <office@localhost>');
  await page.getByLabel('To', { exact: true }).fill(`${TO}, nobody`);
  await page.getByLabel('Text', { exact: true }).fill('Dear Ann');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const wrong = page.getByText('Is not a valid address');
  await wrong.nth(1).waitFor();
  await from.fill('"Maple, Clinic" <office@maple.example>');
  await page.getByLabel('To', { exact: true }).fill(`"Lee, Ann" <${TO}>, bo@patients.example`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The message was accepted.').waitFor();
});

test('messages are found by state, by recipient and by id, and whom one looks for is in no address', async (t) => {
  const { open, ask } = await openOffice(t);
  const send = (to: string, subject: string, more: object = {}) =>
    ask('POST', `/v1/email/${'scheduled_at' in more ? 'schedule' : 'messages'}`, {
      data: {
        message: { recipients: [to], headers: { from: 'a@maple.example', subject }, content: { 'text/plain': 'x' } },
        ...more,
      },
    });
  for (let at = 0; at < 12; at += 1) await send(`patient-${at}@patients.example`, `Visit ${at}`);
  const inADay = new Date(Date.now() + 86_400_000).toISOString();
  const { body: later } = await send('later@patients.example', 'For tomorrow', { scheduled_at: inADay });
  const { page } = await open('/email/messages');
  const table = page.getByRole('table', { name: 'Messages' });
  await table.getByRole('link', { name: 'Visit 3' }).waitFor();
  assert.equal(await table.getByRole('link').count(), 13);
  await findNothingWrong(page, 'messages');

  await page.getByLabel('Recipient', { exact: true }).fill('patient-7@patients.example');
  await page.getByLabel('Recipient', { exact: true }).press('Enter');
  await table.getByRole('link', { name: 'Visit 3' }).waitFor({ state: 'detached' });
  await table.getByRole('link', { name: 'Visit 7' }).waitFor();
  assert.deepEqual(await table.getByRole('link').allTextContents(), ['Visit 7']);
  assert.doesNotMatch(page.url(), /patient/);
  await page.getByLabel('Recipient', { exact: true }).fill('');
  await page.getByLabel('Recipient', { exact: true }).press('Enter');

  await page.getByLabel('State', { exact: true }).selectOption('Scheduled');
  await page.getByRole('columnheader', { name: 'Leaves' }).waitFor();
  await table.getByRole('link', { name: 'Visit 3' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /state=scheduled/);
  await page.getByLabel('Tracking id', { exact: true }).fill(later.sourceTrackingId);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('heading', { name: 'For tomorrow', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Move to another time' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New date and time').fill('2020-01-01T10:00');
  await dialog.getByRole('button', { name: 'Move to another time' }).click();
  await dialog.getByText('Lies in the past').waitFor();
  const moved = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
  await dialog.getByLabel('New date and time').fill(moved);
  await dialog.getByRole('button', { name: 'Move to another time' }).click();
  await page.getByText('The message leaves at the new time.').waitFor();
  const { body: read } = await ask('GET', `/v1/email/schedule/${later.sourceTrackingId}`);
  assert.ok(new Date(read.scheduledAt) > new Date(inADay));
  await page.getByRole('button', { name: 'Cancel the message' }).click();
  await findNothingWrong(page, 'about to cancel');
  await dialog.getByRole('button', { name: 'Cancel the message' }).click();
  await page.getByText('The message was cancelled.').waitFor();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
});
