import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { type FormsRoom, openFormsRoom } from './forms-room.ts';

let room: FormsRoom;
before(async (t) => {
  room = await openFormsRoom(t as TestContext);
});

const MOST_TABS = 80;
/** What has the focus, as a screen reader names it. */
const FOCUSED = `(() => {
  const { activeElement: it } = document;
  const labels = [...(it.labels ?? [])].map((label) => label.innerText).join(' ');
  return (it.getAttribute('aria-label') ?? (labels || it.innerText)).split('\\n')[0];
})()`;

/** Goes on with the Tab key until something of this name has the focus. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let i = 0; i < MOST_TABS; i += 1) {
    if ((await page.evaluate(FOCUSED)) === name) return;
    await page.keyboard.press(key);
  }
  assert.fail(`the Tab key does not lead to ${name}`);
}

const focusIs = (page: Page, name: string) => eventually(async () => (await page.evaluate(FOCUSED)) === name);
const said = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

test('a form is built with the keyboard alone', async () => {
  const { page } = await room.enter('/forms/new');
  const { keyboard } = page;
  await tabTo(page, 'Title of the form (optional)');
  await keyboard.type('By keys');
  await tabTo(page, 'Use this: Blank form');
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor();

  await page.evaluate('document.body.focus()');
  await tabTo(page, 'Add: Yes or no');
  await keyboard.press('Enter');
  await focusIs(page, 'Question');
  await said(page, 'Yes or no added, place 1 of 1 on Page 1.');
  await keyboard.type('Do you smoke?');
  await keyboard.press('Escape');
  await focusIs(page, 'Do you smoke?');

  await tabTo(page, 'Add: Number', 'Shift+Tab');
  await keyboard.press('Enter');
  await focusIs(page, 'Question');
  await keyboard.type('For how many years?');
  await tabTo(page, 'Add a condition');
  await keyboard.press('Enter');
  await tabTo(page, 'Comparison of condition 1');
  assert.equal(await page.getByLabel('Comparison of condition 1').inputValue(), 'yes');
  await keyboard.press('Escape');
  await focusIs(page, 'For how many years?');

  await keyboard.press('Alt+ArrowUp');
  await said(page, 'For how many years? moved, place 1 of 2 on Page 1.');
  await focusIs(page, 'For how many years?');
  await keyboard.press('Alt+ArrowUp');
  await said(page, 'For how many years? cannot be moved further.');
  await keyboard.press('Control+z');
  await said(page, 'The last step is undone.');
  await tabTo(page, 'Do you smoke?', 'Shift+Tab');
  await keyboard.press('ArrowDown');
  await focusIs(page, 'For how many years?');
  await keyboard.press('Control+d');
  await said(page, 'For how many years? duplicated, place 3 of 3 on Page 1.');
  await keyboard.press('Delete');
  await eventually(async () => (await page.locator('[data-row]').count()) === 3);

  await keyboard.press('Control+s');
  await page.getByText('All changes are saved').waitFor();
  const { results } = await room.ask('GET', `?customer_id=${room.customer.id}&search=keys`);
  assert.deepEqual(results[0].form_json, {
    pages: [
      {
        fields: [
          { type: 'yes_no', name: 'do_you_smoke', label: 'Do you smoke?' },
          {
            type: 'number',
            name: 'for_how_many_years',
            label: 'For how many years?',
            show_when: 'do_you_smoke == true',
          },
        ],
      },
    ],
  });
});

test('on a phone a tap beside what is set of a question closes it, since it counts at once', async () => {
  const { page } = await room.enter(`/forms/${room.formId}/edit`, { viewport: { width: 600, height: 844 } });
  await page.getByRole('button', { name: /^Full name/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Question', { exact: true }).fill('Your full name');
  await page.mouse.click(20, 400);
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Your full name/ }).waitFor();
  await page.context().close();
});

/** Opens the settings of a form that nobody else works on. */
async function openSettings() {
  const formId = await addForm(room.app, room.customer.id);
  const seen = await room.enter(`/forms/${formId}/edit?view=settings`);
  const { page } = seen;
  return {
    ...seen,
    formId,
    description: page.getByLabel('Description'),
    saved: page.getByText('All changes are saved'),
  };
}

test('what was saved by an earlier press, whose answer got lost, is told as nobody else’s', async () => {
  const { page, formId, description, saved } = await openSettings();
  let isLost = false;
  await page.route(`**/api/forms/${formId}`, async (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await description.fill('Please take ten minutes.');
  await save.click();
  await page.getByText('cannot be reached').waitFor();
  await save.click();
  await saved.waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.context().close();
});

test('Ctrl+S, pressed once more while the form is being saved, is no reason to ask', async () => {
  const { page, formId, description, saved, requests } = await openSettings();
  const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
  await page.route(`**/api/forms/${formId}`, async (route) => isPressed.then(() => route.continue()));
  await description.fill('Please take ten minutes.');
  await description.press('Control+s');
  await page.locator('[aria-busy=true]', { hasText: 'Save' }).waitFor();
  await description.pressSequentially(' Or more.');
  await description.press('Control+s');
  press();
  await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
  await description.press('Control+s');
  await saved.waitFor();
  assert.equal(requests.filter(({ method }) => method === 'PUT').length, 2);
  await page.context().close();
});

test('what somebody else saved meanwhile is told, and either version can stay', async () => {
  const { formId } = room;
  const { page } = await room.enter(`/forms/${formId}/edit?view=settings`);
  await page.getByLabel('The form is signed below its last page').check();
  await room.ask('PUT', `/${formId}`, { form_css: 'p { margin: 0 }' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else has saved this meanwhile' });
  await dialog.getByRole('button', { name: 'Save mine over theirs' }).click();
  await page.getByText('All changes are saved').waitFor();
  const { data: mine } = await room.ask('GET', `/${formId}`);
  assert.deepEqual([mine.signable, mine.form_css], [true, null]);

  await page.getByLabel('Description').fill('Mine');
  await room.ask('PUT', `/${formId}`, { form_css: 'p { margin: 1px }' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Show theirs' }).click();
  await page.getByText('All changes are saved').waitFor();
  assert.equal(await page.getByLabel('Description').inputValue(), '');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  assert.equal(await page.getByLabel('Description').inputValue(), 'Mine');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await page.getByText('All changes are saved').waitFor();

  await page.getByLabel('Description').fill('Mine again');
  await room.ask('PUT', `/${formId}`, { description: 'Theirs' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Show theirs' }).click();
  assert.equal(await page.getByLabel('Description').inputValue(), 'Theirs', 'what makes no version is told as well');

  await page.getByLabel('Description').fill('After it was published');
  await room.ask('PUT', `/${formId}`, { active: true });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All changes are saved').waitFor();

  await page.getByLabel('Description').fill('Not saved');
  await page.getByRole('link', { name: 'All forms' }).first().click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay here' }).click();
  await focusIs(page, 'All forms');
  assert.equal(await page.getByLabel('Description').inputValue(), 'Not saved');
});

test('a form is unpublished without storing what is not saved, and published again', async () => {
  const { app, customer, ask } = room;
  const form_json = { fields: [{ type: 'number', name: 'kg', label: 'Weight' }] };
  const id = await addForm(app, customer.id, { title: 'Weight', form_json, active: true });
  const { page } = await room.enter(`/forms/${id}/edit`);
  await page.getByRole('button', { name: /^Weight/ }).click();
  const least = page.getByLabel('At least', { exact: true });
  await least.pressSequentially('2.50');
  assert.equal(await least.inputValue(), '2.50', 'what is typed is left alone');
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  const { data: taken } = await ask('GET', `/${id}`);
  assert.deepEqual([taken.active, taken.form_json], [false, form_json]);
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All changes are saved').waitFor();
  const { data: kept } = await ask('GET', `/${id}`);
  assert.deepEqual([kept.active, kept.form_json.fields[0].min], [true, 2.5]);
});

test('conditions work in the preview, and what is typed there goes nowhere', async () => {
  const fields = [
    { type: 'yes_no', name: 'smoker', label: 'Do you smoke?' },
    { type: 'number', name: 'years', label: 'For how many years?', show_when: 'smoker == true' },
  ];
  await room.ask('PUT', `/${room.formId}`, { form_json: { fields } });
  const seen = await room.enter(`/forms/${room.formId}/edit?view=preview`);
  const frame = seen.page.frameLocator('iframe[title="The page as patients see it"]');
  await frame.getByText('Do you smoke?').waitFor();
  assert.equal(await frame.getByLabel('For how many years?').isVisible(), false);
  await frame.getByRole('radio', { name: 'Yes' }).check();
  await frame.getByLabel('For how many years?').waitFor();
  const sent = seen.requests.length;
  await frame.locator('.buttons button').click();
  assert.equal(seen.requests.length, sent);
});
