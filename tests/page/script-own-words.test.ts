import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Clinic, openClinic, sendForm } from './patient.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

test('words beside a box whose tick is taken away without script are still seen, as they count', async () => {
  const formId = await clinic.form([{ name: 'boxes', type: 'checkboxes', options: ['Nuts'], other: true }]);
  const { page } = await clinic.open(formId, { javaScriptEnabled: false });
  const words = page.locator('[name="q.boxes.~own"]');
  assert.ok(await words.isHidden());
  await page.locator('[value="~other"]').check();
  await words.fill('Milk');
  await page.locator('[value="~other"]').uncheck();
  assert.ok(await words.isVisible());
});

test('own words tick the choice beside them, and go when its tick is taken away', async () => {
  const formId = await clinic.form([
    { name: 'boxes', type: 'checkboxes', options: ['Nuts'], other: true },
    { name: 'gone', type: 'checkboxes', options: ['Nuts'], other: true },
    { name: 'one', type: 'radio', options: ['red'], other: true },
    { name: 'list', type: 'select', options: ['red'], other: true },
  ]);
  const seen = await clinic.open(formId);
  const { page } = seen;
  const words = (name: string) => page.locator(`[name="q.${name}.~own"]`);
  const other = (name: string) => page.locator(`[name="q.${name}"][value="~other"]`);
  // As in a browser that shows the words without the tick.
  for (const name of ['boxes', 'gone', 'one', 'list']) {
    await words(name).evaluate((input) => Object.assign(input, { value: 'Milk' }));
    await words(name).dispatchEvent('input');
  }
  for (const name of ['boxes', 'gone', 'one']) assert.ok(await other(name).isChecked(), name);
  assert.equal(await page.locator('[name="q.list"]').inputValue(), '~other');
  await other('gone').uncheck();
  assert.equal(await words('gone').inputValue(), '');
  assert.ok(await words('gone').isHidden());
  clinic.clock.advance(5_000);
  await sendForm(seen);
  const [submission] = await clinic.submissions(formId);
  assert.deepEqual(submission.answers, { boxes: ['Milk'], one: 'Milk', list: 'Milk' });
});
