import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Clinic, openClinic } from '../page/patient.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const FIELDS = [
  { name: 'smoker', label: 'Do you smoke?', type: 'yes/no' },
  { name: 'years', label: 'For how many years?', type: 'number', show_when: 'smoker == true' },
];

test('what is not asked stays hidden, however much a customer’s style insists', async () => {
  const form_css = `div, .question, .question.question:not(#a#b#c) { display: block !important }
    .question:not(#a#b#c#d) { display: flex !important }`;
  const formId = await clinic.form(FIELDS, { form_css });
  const { page } = await clinic.open(formId);
  assert.ok(await page.locator('[data-path=years]').isHidden());
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('[data-path=smoker]')).display`), 'flex');
  await page.locator('[name="q.smoker"][value=yes]').check();
  assert.ok(await page.locator('[data-path=years]').isVisible());
});

test('a customer’s layout has a place of its own, and what bears our classes in it is no question', async () => {
  const form_html = '<p class="question cover">We look forward to seeing you.</p>{{smoker}}';
  const form_css = '.cover { position: absolute; top: -2000px; left: 0; width: 100vw; height: 5000px; z-index: 99999 }';
  const formId = await clinic.form(FIELDS, { form_html, form_css, title: 'Before your visit' });
  const seen = await clinic.open(formId);
  const { page } = seen;
  const box = `JSON.stringify(['position', 'isolation'].map((name) =>
    getComputedStyle(document.querySelector('.form-layout')).getPropertyValue(name)))`;
  assert.equal(await page.evaluate(box), '["relative","isolate"]');
  await page.evaluate(`document.querySelector('[name="q.smoker"][value=yes]').click()`);
  assert.equal(await page.locator('[data-path=years]').getAttribute('hidden'), null);
  assert.deepEqual(seen.errors, []);
});
