import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Clinic, openClinic } from '../page/patient.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const FORM = {
  pages: [
    {
      title: 'You',
      fields: [
        { type: 'text', name: 'name', label: 'Your name', required: true },
        { type: 'radio', name: 'smoker', label: 'Do you smoke?', options: ['daily', 'never'], required: true },
        { type: 'select', name: 'doctor', label: 'Your doctor', options: ['Dr Ada', 'Dr Bo'] },
      ],
    },
    {
      title: 'Your medicines',
      fields: [
        { type: 'checkboxes', name: 'symptoms', label: 'What troubles you?', options: ['Cough', 'Fever'] },
        { type: 'rating', name: 'pain', label: 'Pain', min: 0, max: 5 },
        { type: 'list', name: 'drugs', label: 'Medicine', fields: [{ name: 'drug', label: 'Name of the medicine' }] },
        { type: 'file', name: 'card', label: 'Insurance card' },
      ],
    },
  ],
};

/** What has the focus: the name or the id of a control. */
const FOCUSED = `document.activeElement.name || document.activeElement.id || document.activeElement.localName`;

/** Goes on with the Tab key until a control has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(FOCUSED)) === name) return;
  }
  assert.fail(`the Tab key does not lead to ${name}`);
}

/** Goes on with the Tab key to a button that bears these words. */
async function tabToButton(page: Page, words: string): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    const focused = 'document.activeElement.localName + document.activeElement.textContent';
    if ((await page.evaluate(focused)) === `button${words}`) return;
  }
  assert.fail(`the Tab key does not lead to ${words}`);
}

for (const javaScriptEnabled of [true, false]) {
  test(`a form is filled in by keyboard alone ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const formId = await clinic.form([], { title: 'Before your visit', form_json: FORM, signable: true });
    const { page } = await clinic.open(formId, { javaScriptEnabled });
    const { keyboard } = page;
    await tabTo(page, 'q.name');
    await keyboard.press('Enter');
    await page.locator('#problems:focus').waitFor();
    // The summary leads to what is wrong.
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    assert.equal(await page.evaluate(FOCUSED), 'q.name');
    await keyboard.type('Ann Lee');
    await tabTo(page, 'q.smoker');
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await tabTo(page, 'q.doctor');
    await keyboard.type('Dr B');
    await tabToButton(page, 'Continue');
    await keyboard.press('Enter');

    await page.locator('.step', { hasText: '2 of 2' }).waitFor();
    assert.equal(await page.title(), 'Before your visit – Step 2 of 2');
    // A new step begins at its beginning.
    assert.equal(await page.evaluate(FOCUSED), 'body');
    await keyboard.press('Tab');
    assert.equal(await page.evaluate(FOCUSED), 'q.symptoms');
    await keyboard.press('Space');
    await tabTo(page, 'q.pain');
    await keyboard.press('Space');
    for (let i = 0; i < 3; i += 1) await keyboard.press('ArrowRight');
    await tabTo(page, 'q.drugs.0.drug');
    await keyboard.type('Aspirin');
    await tabTo(page, '_add');
    await keyboard.press('Enter');
    await page.locator('[name="q.drugs.1.drug"]').waitFor();
    await tabTo(page, 'q.drugs.1.drug');
    await keyboard.type('Ibuprofen');
    await tabToButton(page, 'Send');
    await keyboard.press('Enter');
    await page.locator('#problems:focus').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    assert.equal(await page.evaluate(FOCUSED), '_signature.name');
    await keyboard.type('Ann Lee');
    await tabTo(page, '_signature.method');
    await tabTo(page, '_signature.confirmed');
    await keyboard.press('Space');
    await tabToButton(page, 'Send');
    await keyboard.press('Enter');
    await page.waitForURL(/\/done/);

    const [{ answers, signature }] = await clinic.submissions(formId);
    assert.deepEqual(answers, {
      name: 'Ann Lee',
      smoker: 'never',
      doctor: 'Dr Bo',
      symptoms: ['Cough'],
      pain: 3,
      drugs: [{ drug: 'Aspirin' }, { drug: 'Ibuprofen' }],
    });
    assert.deepEqual([signature.name, signature.method], ['Ann Lee', 'typed']);
    await page.context().close();
  });
}

test('who takes a file back by keyboard goes on at its question', async () => {
  const formId = await clinic.form([{ type: 'file', name: 'card', label: 'Insurance card' }]);
  const { page } = await clinic.open(formId);
  const buffer = Buffer.from('a card');
  await page.locator('[name="q.card"]').setInputFiles({ name: 'card.txt', mimeType: 'text/plain', buffer });
  await page.locator('[name=_drop]').waitFor();
  await tabTo(page, '_drop');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(FOCUSED), 'q.card');
});
