import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addOpenForm } from '../page/page-requests.ts';
import { type Clinic, openClinic } from '../page/patient.ts';
import { fillFirst, fillSecond, fillThird, goTo, press, send } from './fill-in.ts';
import { INTAKE } from './intake.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const HOUR = 3_600_000;
const NAME = [{ name: 'name', label: 'Your name', type: 'text', required: true }];
const TWO_STEPS = {
  pages: [
    { title: 'One', fields: NAME },
    { title: 'Two', fields: [{ name: 'why', label: 'Why do you come?', type: 'text' }] },
  ],
};

for (const javaScriptEnabled of [true, false]) {
  const way = javaScriptEnabled ? 'with script' : 'without script';

  test(`after sending, a reload thanks again and the back button sends nothing, ${way}`, async () => {
    const formId = await clinic.form(NAME);
    const { page } = await clinic.open(formId, { javaScriptEnabled });
    await page.locator('[name="q.name"]').fill('Ann');
    await send(page);
    const receipt = await page.locator('.receipt').innerText();
    await page.reload();
    assert.equal(await page.locator('.receipt').innerText(), receipt);
    await page.goBack();
    // Without script a browser may bring back what was typed; with it, whoever has the device next sees none of it.
    if (javaScriptEnabled) await page.waitForFunction(`document.querySelector('[name="q.name"]')?.value === ''`);
    await page.goForward();
    assert.equal(await page.locator('.receipt').innerText(), receipt);
    assert.equal((await clinic.submissions(formId)).length, 1);
    await page.context().close();
  });

  test(`a page that was open for days keeps its answers and is sent once they were looked at, ${way}`, async () => {
    const formId = await clinic.form([], { form_json: TWO_STEPS });
    const { page } = await clinic.open(formId, { javaScriptEnabled });
    await page.locator('[name="q.name"]').fill('Ann');
    await press(page, 'next');
    await page.locator('[name="q.why"]').fill('A cough');
    clinic.clock.advance(72 * HOUR);
    await press(page, 'submit');
    assert.match(await page.locator('.notes').innerText(), /open for a long time/);
    assert.equal(await page.locator('[name="q.why"]').inputValue(), 'A cough');
    assert.deepEqual(await clinic.submissions(formId), []);
    await send(page);
    const [{ answers }] = await clinic.submissions(formId);
    assert.deepEqual(answers, { name: 'Ann', why: 'A cough' });
    await page.context().close();
  });

  test(`a form that closes while it is filled in says so, ${way}`, async () => {
    const closes = new Date(clinic.clock.now().getTime() + HOUR).toISOString();
    const formId = await addOpenForm(clinic.app, clinic.customer, { closes_at: closes });
    const { page } = await clinic.open(formId, { javaScriptEnabled });
    await page.locator('[name="q.name"]').fill('Ann');
    clinic.clock.advance(HOUR);
    await press(page, 'submit');
    await page.locator('h1', { hasText: 'This form is closed' }).waitFor();
    assert.deepEqual(await clinic.submissions(formId), []);
    await page.context().close();
  });

  test(`who began before a form was changed goes on with what they began, ${way}`, async () => {
    const formId = await clinic.form([], { form_json: TWO_STEPS });
    const { page } = await clinic.open(formId, { javaScriptEnabled });
    const changed = { form_json: { fields: [{ name: 'other', type: 'text', required: true }] } };
    const { status, text } = await clinic.app.request('PUT', `/v1/forms/api/forms/${formId}`, {
      ...clinic.customer,
      body: changed,
    });
    assert.equal(status, 200, text);
    await page.locator('[name="q.name"]').fill('Ann');
    await press(page, 'next');
    await page.locator('[name="q.why"]').fill('A cough');
    await send(page);
    const [{ answers, form_version }] = await clinic.submissions(formId);
    assert.deepEqual([answers, form_version], [{ name: 'Ann', why: 'A cough' }, 1]);
    await page.context().close();
  });
}

const THREE_STEPS = {
  pages: [
    { title: 'One', fields: NAME },
    { title: 'Two', fields: [{ name: 'card', label: 'Your card', type: 'file', required: true }] },
    { title: 'Three', fields: [{ name: 'why', label: 'Why do you come?', type: 'text' }] },
  ],
};

for (const [how, leave] of Object.entries({
  'the back button': (page: Page) => page.goBack(),
  'a reload': (page: Page) => page.reload(),
})) {
  test(`${how} on a later step sends nothing twice, and answers and files are still there`, async () => {
    const formId = await clinic.form([], { form_json: THREE_STEPS });
    const { page, errors } = await clinic.open(formId);
    await page.locator('[name="q.name"]').fill('Ann');
    await goTo(page, 2);
    const buffer = Buffer.from('a card');
    await page.locator('[name="q.card"]').setInputFiles({ name: 'card.txt', mimeType: 'text/plain', buffer });
    await goTo(page, 3);
    await page.locator('[name="q.why"]').fill('A cough');
    await leave(page);
    await page.locator('.step', { hasText: '1 of 3' }).waitFor();
    assert.equal(await page.locator('[name="q.name"]').inputValue(), 'Ann');
    await goTo(page, 2);
    assert.equal(await page.locator('.file-name').innerText(), 'card.txt');
    await goTo(page, 3);
    assert.equal(await page.locator('[name="q.why"]').inputValue(), 'A cough');
    await send(page);
    const [{ answers, attachments }] = await clinic.submissions(formId);
    assert.deepEqual([answers, attachments.length], [{ name: 'Ann', why: 'A cough' }, 1]);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test('who wanders back and forth through a long form loses nothing', async () => {
  const formId = await clinic.form([], { form_json: INTAKE });
  const { page } = await clinic.open(formId);
  await fillFirst(page);
  await goTo(page, 2);
  await fillSecond(page);
  await goTo(page, 3);
  await page.locator('[name="q.medications.0.drug"]').fill('Aspirin');
  await press(page, 'back');
  await page.locator('.step', { hasText: '2 of 3' }).waitFor();
  assert.equal(await page.locator('[name="q.years"]').inputValue(), '12');
  await press(page, 'back');
  await page.locator('.step', { hasText: '1 of 3' }).waitFor();
  await goTo(page, 2);
  await goTo(page, 3);
  assert.equal(await page.locator('[name="q.medications.0.drug"]').inputValue(), 'Aspirin');
  await fillThird(page);
  // An entry that was added is in sight, as is what follows one that was taken away.
  assert.match(page.url(), /#entry-\d+-1$/);
  await page.locator('[name=_remove]').nth(1).click();
  await page.waitForURL(/#entry-\d+-0$/);
  await page.locator('[name="q.mark.confirmed"]').check();
  await send(page);
  const [{ answers }] = await clinic.submissions(formId);
  assert.deepEqual([answers.years, answers.medications], [12, [{ drug: 'Aspirin', dose: '100 mg' }]]);
});
