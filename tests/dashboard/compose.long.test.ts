import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { openOffice } from './email-visit.ts';

const WRITING = '/email/messages/new';

let office: Awaited<ReturnType<typeof openOffice>>;
before(async (t) => {
  office = await openOffice(t as TestContext);
});

const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

async function address(page: Page, to: string): Promise<void> {
  await page.getByLabel('From', { exact: true }).fill('office@maple.example');
  await page.getByLabel('To', { exact: true }).fill(to);
  await page.getByLabel('Subject').fill('Your visit');
}

/** What arrived, once it has. */
const arrived = (to: string) =>
  eventually(async () => (await office.ask('GET', `/v1/email/sandbox/messages?to=${to}`)).body.data[0]);

test('HTML that was written is not left without a question, and nothing is sent where there is none', async () => {
  const { page, dialogs } = await office.open(WRITING);
  await page.getByRole('radio', { name: 'HTML' }).check();
  const html = page.getByRole('textbox', { name: 'HTML' });
  await html.focus();
  await page.keyboard.insertText('<p>See you on Monday.</p>');
  await page.getByRole('link', { name: 'Templates' }).first().click();
  await eventually(async () => dialogs.length === 1);
  await html.getByText('See you on Monday.').waitFor();
  await address(page, 'html@patients.example');
  await html.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await sendButton(page).click();
  await page.getByText('This is needed.').waitFor();
  await html.focus();
  await page.keyboard.insertText('<p>See you on Tuesday.</p>');
  await page.getByText('This is needed.').waitFor({ state: 'detached' });
  await sendButton(page).click();
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.match((await arrived('html@patients.example')).html, /See you on Tuesday/);
  await page.context().close();
});

test('a message waits for its files to be read, those that were chosen one after the other alike', async () => {
  const { page } = await office.open(WRITING);
  await address(page, 'files@patients.example');
  await page.getByLabel('Text', { exact: true }).fill('The plan is attached.');
  await page.evaluate(`{
    const read = File.prototype.arrayBuffer;
    window.reads = [];
    File.prototype.arrayBuffer = function () {
      return new Promise((resolve) => window.reads.push(() => resolve(read.call(this))));
    };
  }`);
  const input = page.getByLabel('Attached files');
  for (const name of ['first.txt', 'second.txt', 'second.txt']) {
    await input.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`of ${name}`) });
  }
  await page.getByText('The files are being read.').waitFor();
  assert.equal(await sendButton(page).isDisabled(), true);
  await page.evaluate('window.reads.toReversed().forEach((go) => go())');
  await page.getByText('The files are being read.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove second.txt' }).first().click();
  await sendButton(page).click();
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  const { attachments } = await arrived('files@patients.example');
  const names = attachments.map(({ fileName }: { fileName: string }) => fileName);
  assert.deepEqual(new Set(names), new Set(['first.txt', 'second.txt']));
  assert.equal(names.length, 2);
  await page.context().close();
});

test('files that are too much are told before they are read', async () => {
  const { page } = await office.open(WRITING);
  await page.evaluate(`Object.defineProperty(File.prototype, 'size', { get: () => 60 * 2 ** 20 })`);
  const file = { name: 'scan.tiff', mimeType: 'image/tiff', buffer: Buffer.from('x') };
  await page.getByLabel('Attached files').setInputFiles(file);
  await page.getByText('Attached files take at most 50 MB in all.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Remove scan.tiff' }).count(), 0);
  await page.context().close();
});

test('a template whose places could not be read is not sent without its values', async () => {
  const wish = { name: 'Visit', subject: 'Your visit', body: '<p>Dear {{first_name}}</p>' };
  const { id } = (await office.ask('POST', '/v1/email/dynamic_templates', wish)).body;
  const { page } = await office.open('/home');
  const reading = `**/v1/email/dynamic_templates/${id}`;
  await page.route(reading, (route) => route.abort());
  await page.goto(`${office.app.url}/app${WRITING}?template=${id}`);
  await page.getByLabel('From', { exact: true }).fill('office@maple.example');
  await page.getByLabel('To', { exact: true }).fill('visit@patients.example');
  await page.getByText('The server cannot be reached').first().waitFor();
  assert.equal(await sendButton(page).isDisabled(), true);
  await page.unroute(reading);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByLabel('first_name').fill('Ann');
  await sendButton(page).click();
  await page.getByRole('heading', { name: 'Your visit', level: 1 }).waitFor();
  assert.match((await arrived('visit@patients.example')).html, /Dear Ann/);
  await page.context().close();
});

test('what the server refuses comes into sight, and stays as it was written', async () => {
  const { page } = await office.open(WRITING, { viewport: { width: 360, height: 640 } });
  await address(page, 'ann@patients..example');
  await page.getByLabel('Text', { exact: true }).fill('See you.');
  await sendButton(page).click();
  const to = page.getByLabel('To', { exact: true });
  await eventually(() => to.evaluate((field) => field.getAttribute('aria-invalid') === 'true'));
  await eventually(() => to.evaluate((field) => field.ownerDocument.activeElement === field));
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'See you.');
  await page.context().close();
});
