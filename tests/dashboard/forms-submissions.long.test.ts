import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addSealedForm, newKey, sealAnswers } from '../end-to-end/sealing.ts';
import { submitted } from '../submissions/submitting.ts';
import { foreignOrigins } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type FormsRoom, openFormsRoom } from './forms-room.ts';

let room: FormsRoom;
before(async (t) => {
  room = await openFormsRoom(t as TestContext);
});

const table = (page: Page) => page.getByRole('region', { name: 'Submissions' });
const rowOf = (page: Page, patient: string) => table(page).getByRole('row', { name: new RegExp(patient) });
const worksOf = async () => {
  const { data } = await room.ask('GET', `/${room.formId}/submissions?order=asc`);
  return data.map((each: { work_state: string }) => each.work_state);
};

/** What a click has the browser save. */
async function saved(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('somebody looks through submissions, changes several at once and takes it back', async () => {
  const seen = await room.enter('/forms');
  const { page } = seen;
  await page.getByRole('link', { name: 'New patient intake', exact: true }).click();
  await page.getByRole('link', { name: 'New: 6' }).click();
  await rowOf(page, 'ana.okafor').waitFor();
  assert.equal(await table(page).getByRole('row').count(), 7);

  await rowOf(page, 'ana.okafor').getByRole('checkbox').check();
  await rowOf(page, 'marcus').getByRole('checkbox').check();
  await page.getByLabel('Set the state').selectOption('In work');
  await page.getByText('2 submissions changed.').waitFor();
  await rowOf(page, 'ana.okafor').waitFor({ state: 'detached' });
  assert.deepEqual(await worksOf(), ['in_work', 'in_work', 'new', 'new', 'new', 'new']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'ana.okafor').waitFor();
  assert.deepEqual(await worksOf(), Array(6).fill('new'));

  await page.getByLabel('Email address, exactly').fill('tom.nguyen@patients.example');
  await page.keyboard.press('Enter');
  await rowOf(page, 'ana.okafor').waitFor({ state: 'detached' });
  await rowOf(page, 'tom.nguyen').waitFor();
  assert.doesNotMatch(page.url(), /nguyen/, 'no patient stands in the address of a page');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await rowOf(page, 'ana.okafor').waitFor();
  assert.deepEqual([seen.errors, foreignOrigins(seen, room.app.url)], [[], []]);
});

test('one submission is read as it was filled in, worked on, noted on and taken out', async () => {
  const seen = await room.enter(`/forms/${room.formId}/submissions`);
  const { page } = seen;
  await rowOf(page, 'hugo').getByRole('link').click();
  const frame = page.frameLocator('iframe[title="The form as it was filled in"]');
  await frame.getByText('Hugo Brandt').waitFor();

  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByText('Changed.').waitFor();
  assert.equal(await page.getByLabel('State').inputValue(), 'in_work');
  await page.getByRole('button', { name: 'Take it' }).waitFor({ state: 'detached' });

  const notes = page.getByRole('region', { name: 'Internal notes' });
  await notes.getByLabel('A note for your colleagues').fill('Call back on Thursday');
  await notes.getByRole('button', { name: 'Add note' }).click();
  await notes.getByRole('listitem').getByText('Call back on Thursday').waitFor();
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).last().click();
  await notes.getByText('This note was taken back.').waitFor();

  const file = await saved(page, () => page.getByRole('button', { name: 'Save card.txt' }).click());
  assert.deepEqual([file.name, file.bytes.toString()], ['card.txt', 'Card of Hugo Brandt']);
  const pdf = await saved(page, async () => {
    await page.getByText('Take out').click();
    await page.getByRole('menuitem', { name: 'As PDF' }).click();
  });
  assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');

  await page.getByRole('button', { name: 'Amend' }).click();
  await page.getByLabel('Question').selectOption('Full name');
  await page.getByLabel('The right answer').fill('Hugo Brandt-Weiss');
  await page.getByLabel('Reason').fill('A wedding');
  await page.getByRole('button', { name: 'Add it' }).click();
  await page.getByRole('region', { name: 'Amendments' }).getByText('Hugo Brandt-Weiss').waitFor();
  await frame.getByText('Full name: Hugo Brandt-Weiss. Reason: A wedding').waitFor();
  const whoSaw = page.getByRole('region', { name: 'Who has seen this' });
  await whoSaw.getByText(/Taken out.* by you/).waitFor();
  assert.deepEqual(seen.errors, []);

  await page.getByRole('button', { name: 'Destroy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Destroy this submission?' });
  await dialog.getByRole('button', { name: 'Destroy' }).click();
  await rowOf(page, 'ana.okafor').waitFor();
  await eventually(async () => (await rowOf(page, 'hugo').count()) === 0);
});

test('submissions are gone through one after the other in the order of their list', async () => {
  const { page, errors } = await room.enter(`/forms/${room.formId}/submissions?order=asc`);
  await rowOf(page, 'ana.okafor').getByRole('link').click();
  const frame = page.frameLocator('iframe[title="The form as it was filled in"]');
  await frame.getByText('Ana Okafor').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Previous' }).count(), 0, 'the first of the list');
  const note = page.getByLabel('A note for your colleagues');
  await note.fill('About Ana alone');
  await page.getByRole('link', { name: 'Next' }).click();
  assert.equal(await note.inputValue(), 'About Ana alone', 'nobody leaves it unasked');
  await page.evaluate('window.confirm = () => true');
  await page.getByRole('link', { name: 'Next' }).click();
  await frame.getByText('Marcus Lindqvist').waitFor();
  assert.equal(await note.inputValue(), '');
  await page.getByRole('link', { name: 'Next' }).press('Enter');
  await frame.getByText('Priya Ferreira').waitFor();
  assert.equal(await page.evaluate('document.activeElement?.id'), 'content', 'the focus goes along');
  await page.getByRole('link', { name: 'Previous' }).click();
  await frame.getByText('Marcus Lindqvist').waitFor();
  await page.reload();
  await frame.getByText('Marcus Lindqvist').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0, 'no list is known any more');
  assert.deepEqual(errors, []);
});

test('the way from the forms leads to what waits in them, and all of one person is taken along', async () => {
  const { page, errors } = await room.enter('/forms/all');
  const waiting = page.getByRole('region', { name: 'Waiting for somebody' });
  await waiting.getByRole('link', { name: 'New patient intake' }).first().click();
  await rowOf(page, 'ana.okafor').waitFor();
  assert.match(page.url(), /submissions\?state=new$/);

  await page.goto(`${room.app.url}/app/forms/exports`);
  await page.getByLabel('Email address of the person').fill('tom.nguyen@patients.example');
  const zip = await saved(page, () => page.getByRole('button', { name: 'Download the archive' }).click());
  assert.deepEqual([zip.name, zip.bytes.subarray(0, 2).toString()], ['submissions.zip', 'PK']);
  assert.doesNotMatch(page.url(), /nguyen/);
  assert.deepEqual(errors, []);
});

test('an export is asked for, left alone, and found again with its file', async () => {
  const { page } = await room.enter(`/forms/${room.formId}/submissions`);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radio', { name: /^CSV\s*One row/ }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor();
  await page.getByRole('link', { name: 'All forms' }).click();
  await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
  await page.getByRole('link', { name: 'Exports' }).click();
  const button = page.getByRole('button', { name: 'Download New patient intake, CSV' });
  await button.waitFor();
  const { name, bytes } = await saved(page, () => button.click());
  assert.match(name, /^New patient intake \d{4}-\d\d-\d\d\.csv$/);
  assert.match(bytes.toString(), /Ana Okafor/);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Somebody deleted it.').waitFor();
});

test('what only the clinic can read is opened in the browser, and the key is never sent', async () => {
  const { app, customer } = room;
  const key = await newKey();
  const fields = [{ name: 'name', label: 'Full name', type: 'text' }];
  const formId = await addSealedForm(app, customer, [key], { form_json: { fields }, title: 'Sealed intake' });
  const id = await submitted(app, formId, { sealed: await sealAnswers([key], formId, { name: 'Nora Sealed' }) });
  const seen = await room.enter(`/forms/${formId}/submissions/${id}`);
  const { page } = seen;
  await page.getByLabel('Key', { exact: true }).fill((await newKey()).identity);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('This key does not open it').waitFor();
  const buffer = Buffer.from(`# the key of the clinic\n${key.identity}\n`);
  await page.getByLabel('Or pick the file').setInputFiles({ name: 'key.txt', mimeType: 'text/plain', buffer });
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('Nora Sealed').waitFor();
  await page.getByRole('button', { name: 'Forget the key' }).click();
  await page.getByLabel('Key', { exact: true }).waitFor();
  const told = JSON.stringify(seen.requests);
  assert.ok(!told.includes('AGE-SECRET-KEY') && !told.includes('Nora Sealed'));
  assert.deepEqual(seen.errors, []);
});
