import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { CARD } from '../e2e/fill-in.ts';
import { foreignOrigins, openBrowser, visit } from '../support/browser.ts';
import { type FormsRoom, openFormsRoom } from './forms-room.ts';

let room: FormsRoom;
before(async (t) => {
  room = await openFormsRoom(t as TestContext);
});

const row = (page: Page, label: string) =>
  page.getByRole('region', { name: 'The form' }).locator('[data-row]').filter({ hasText: label }).first();
const properties = (page: Page) => page.getByRole('complementary', { name: 'Properties' });

/** Adds a field behind the last one and says what it asks. */
async function add(page: Page, kind: string, label: string): Promise<void> {
  await page.getByRole('button', { name: `Add: ${kind}`, exact: true }).click();
  const question = properties(page).getByRole('textbox').first();
  await question.fill(label);
  await row(page, label).waitFor();
}

/** Where rows stand, by what is on them. */
async function rows(page: Page): Promise<string[]> {
  const texts = await page.locator('[data-row]').allInnerTexts();
  return texts.map((text) => text.split('\n')[0] ?? '');
}

test('a form with ten kinds of fields and logic is built, published, filled in on a phone, read and taken out', async (t) => {
  const seen = await room.enter('/forms/new');
  const { page } = seen;
  await page.getByLabel('Title of the form').fill('Travel clinic');
  await page.getByRole('button', { name: 'Use this: Blank form' }).click();
  await page.getByRole('heading', { level: 1, name: 'Travel clinic' }).waitFor();

  await add(page, 'Short text', 'Full name');
  await properties(page).getByLabel('Has to be answered', { exact: true }).check();
  await add(page, 'Email', 'Your email');
  await add(page, 'Date', 'Date of birth');
  await add(page, 'Number', 'How many days?');
  await properties(page).getByLabel('At most', { exact: true }).fill('90');
  await add(page, 'One choice', 'Where to?');
  for (const [at, place] of ['Europe', 'Africa', 'Asia'].entries()) {
    await properties(page)
      .getByLabel(`Choices: ${at + 1}`)
      .fill(place);
  }
  await add(page, 'Several choices', 'Which vaccinations do you have?');
  await add(page, 'Yes or no', 'Any allergies?');
  await add(page, 'Long text', 'Which allergies?');
  await properties(page).getByRole('button', { name: 'Add a condition' }).click();
  await properties(page).getByLabel('Question of condition 1').selectOption('Any allergies?');
  await properties(page).getByLabel('Comparison of condition 1').selectOption('is yes');
  await page.getByRole('button', { name: 'Add a page' }).click();
  await properties(page).getByLabel('Title of the page').fill('Papers');
  await add(page, 'File', 'Vaccination card');
  await add(page, 'Signature', 'Signature');
  await add(page, 'Rating', 'How much do you worry?');
  await add(page, 'Calculated', 'Days and worries');
  await properties(page).getByLabel('Formula').fill('how_many_days + how_much_do_you_worry');

  await row(page, 'How much do you worry?').dragTo(row(page, 'Where to?'), { targetPosition: { x: 60, y: 4 } });
  await page.getByText('How much do you worry? moved, place 5 of 9 on Page 1.').waitFor({ state: 'attached' });
  const built = await rows(page);
  assert.deepEqual(built.slice(4, 7), ['How many days?', 'How much do you worry?', 'Where to?']);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  assert.equal((await rows(page)).indexOf('How much do you worry?'), 12);
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  assert.deepEqual(await rows(page), built);

  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish this form' });
  await dialog.getByText('Nobody is told by mail').waitFor();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('The form is published.').waitFor();
  const address = await page.getByRole('link', { name: 'Open the page' }).getAttribute('href');

  await fillIn(await openBrowser(t), `${room.app.url}${address}`);

  const id = page.url().split('/').at(-2);
  await page.goto(`${room.app.url}/app/forms/${id}/submissions`);
  await page
    .getByRole('row', { name: /nora\.quist/ })
    .getByRole('link')
    .click();
  const frame = page.frameLocator('iframe[title="The form as it was filled in"]');
  await frame.getByText('Nora Quist').first().waitFor();
  await frame.getByText('Penicillin').waitFor();
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByText('Take out')
      .click()
      .then(() => page.getByRole('menuitem', { name: 'As PDF' }).click()),
  ]);
  assert.equal(
    readFileSync(await pdf.path())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  );
  const { data } = await room.ask('GET', `/${id}/submissions`);
  const { data: submission } = await room.ask('GET', `/${id}/submissions/${data[0].id}`);
  const { signature: _drawn, ...answers } = JSON.parse(submission.form_data);
  assert.deepEqual(answers, {
    full_name: 'Nora Quist',
    your_email: 'nora.quist@patients.example',
    date_of_birth: '1984-05-06',
    how_many_days: 12,
    how_much_do_you_worry: 3,
    where_to: 'Africa',
    which_vaccinations_do_you_have: ['Second choice'],
    any_allergies: true,
    which_allergies: 'Penicillin',
    days_and_worries: 15,
  });
  assert.equal(submission.attachments[0].name, 'card.png');
  assert.deepEqual([seen.errors, foreignOrigins(seen, room.app.url)], [[], []]);
});

/** Fills the form in as a patient with a phone does. */
async function fillIn(browser: Awaited<ReturnType<typeof openBrowser>>, url: string): Promise<void> {
  const { page } = await visit(browser, url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.getByLabel('Full name').fill('Nora Quist');
  await page.getByLabel('Your email').fill('nora.quist@patients.example');
  await page.getByLabel('Date of birth').fill('1984-05-06');
  await page.getByLabel('How many days?').fill('12');
  await page.getByRole('radio', { name: '3' }).check();
  await page.getByRole('radio', { name: 'Africa' }).check();
  await page.getByRole('checkbox', { name: 'Second choice' }).check();
  assert.equal(await page.getByLabel('Which allergies?').isVisible(), false);
  await page.getByRole('group', { name: 'Any allergies?' }).getByRole('radio', { name: 'Yes' }).check();
  await page.getByLabel('Which allergies?').fill('Penicillin');
  await page.getByRole('button', { name: 'Continue' }).last().click();
  await page.getByText('Step 2 of 2').waitFor();
  await page.getByLabel('Vaccination card').setInputFiles({ name: 'card.png', mimeType: 'image/png', buffer: CARD });
  await page.locator('.files li').waitFor();
  await page.locator('[name="q.signature.name"]').fill('Nora Quist');
  await page.locator('[name="q.signature.method"][value=drawn]').check();
  const pad = page.locator('canvas');
  await pad.scrollIntoViewIfNeeded();
  const box = (await pad.boundingBox()) ?? assert.fail('no pad to sign on');
  await page.mouse.move(box.x + 20, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 20, { steps: 8 });
  await page.mouse.up();
  await page.locator('[name="q.signature.confirmed"]').check();
  await page.getByText('15', { exact: true }).waitFor();
  await page.locator('.buttons [value=submit]').click();
  await page.waitForURL(/\/done/);
}
