import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Visit } from '../support/browser.ts';
import { asOwner } from '../support/owner.ts';
import { type Clinic, openClinic, sendForm } from './patient.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const SMOKING = [
  { name: 'first', label: 'First name', type: 'text', required: true },
  { name: 'smoker', label: 'Do you smoke?', type: 'yes/no' },
  { name: 'packs', label: 'Packs a day', type: 'number', required: true, showWhen: 'smoker == true' },
  { name: 'week', label: 'Packs a week', type: 'calculated', formula: 'packs * 7' },
  { name: 'colour', type: 'radio', options: ['red', 'green'], other: true },
  {
    name: 'drugs',
    type: 'list',
    fields: [{ name: 'drug' }, { name: 'dose', type: 'number', required: true, showWhen: "drug == 'aspirin'" }],
  },
];

const TWO_STEPS = {
  form_json: {
    pages: [
      { title: 'One', fields: [{ name: 'first', type: 'text', required: true }] },
      { title: 'Two', fields: [{ name: 'second', type: 'text' }] },
    ],
  },
};

const question = (page: Page, path: string) => page.locator(`.question[data-path="${path}"]`);

test('questions appear and vanish as one answers, also within entries, and what is calculated is shown', async () => {
  const formId = await clinic.form(SMOKING);
  const seen = await clinic.open(formId);
  const { page } = seen;
  assert.ok(await question(page, 'packs').isHidden());
  await page.locator('[name="q.smoker"][value=yes]').check();
  await page.locator('[name="q.packs"]').fill('2');
  assert.equal(await page.locator('output').textContent(), '14');
  await page.locator('[name="q.drugs.0.drug"]').fill('aspirin');
  await page.locator('[name="q.drugs.0.dose"]').fill('100');
  await page.locator('[name="q.first"]').fill('Ann');
  await sendForm(seen);
  await page.goBack();
  assert.deepEqual(seen.errors, []);
  const [submission] = await clinic.submissions(formId);
  assert.deepEqual(submission.answers, {
    first: 'Ann',
    smoker: true,
    packs: 2,
    week: 14,
    drugs: [{ drug: 'aspirin', dose: 100 }],
  });
});

test('what is calculated follows a number with a decimal comma', async () => {
  const { page } = await clinic.open(await clinic.form(SMOKING));
  await page.locator('[name="q.smoker"][value=yes]').check();
  await page.locator('[name="q.packs"]').fill('0,5');
  assert.equal(await page.locator('output').textContent(), '3.5');
});

test('what is hidden again is neither checked nor sent', async () => {
  const formId = await clinic.form(SMOKING);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.locator('[name="q.first"]').fill('Ann');
  await page.locator('[name="q.smoker"][value=yes]').check();
  await page.locator('[name="q.packs"]').fill('many');
  await page.locator('[name="q.smoker"][value=no]').check();
  assert.ok(await question(page, 'packs').isHidden());
  await sendForm(seen);
  const [submission] = await clinic.submissions(formId);
  assert.deepEqual(submission.answers, { first: 'Ann', smoker: false });
});

/** All that says what is wrong. */
async function wrongIn({ page }: Visit) {
  return {
    title: await page.title(),
    summary: await page.locator('#problems').innerHTML(),
    questions: await page.evaluate(`
      [...document.querySelectorAll('.question')].map((one) => [one.id, one.className, one.querySelector('.problem')?.outerHTML,
        [...one.querySelectorAll('fieldset, input')].map((each) => each.getAttribute('aria-describedby')),
        [...one.querySelectorAll('input')].map((each) => each.getAttribute('aria-invalid'))])`),
  };
}

test('what is wrong is said before anything is sent, in the words and the places of the server', async () => {
  const formId = await clinic.form([
    { name: 'first', label: 'First name', type: 'text', required: true, help: 'As in your passport' },
    { name: 'mail', label: 'Mail', type: 'email' },
    { name: 'colour', label: 'Colour', type: 'radio', options: ['red', 'green'], required: true },
    { name: 'agree', label: 'I agree', type: 'consent', required: true },
    { name: 'where', label: 'Where', type: 'address', required: true },
    { name: 'drugs', label: 'Drugs', type: 'list', required: true, fields: [{ name: 'drug' }] },
    { name: 'fine', label: 'Fine', type: 'text' },
  ]);
  const [withScript, without] = [await clinic.open(formId), await clinic.open(formId, { javaScriptEnabled: false })];
  for (const { page } of [withScript, without]) {
    await page.locator('[name="q.mail"]').fill('nobody');
    await page.locator('.buttons [value=submit]').click();
    await page.locator('#problems h2').waitFor();
  }
  assert.equal(withScript.requests.filter(({ method }) => method === 'POST').length, 0);
  assert.equal(without.requests.filter(({ method }) => method === 'POST').length, 1);
  const wrong = await wrongIn(withScript);
  assert.deepEqual(wrong, await wrongIn(without));
  assert.match(wrong.title, /^Error: /);
  assert.equal(await withScript.page.locator('#problems li').count(), 6);
  assert.equal(await withScript.page.evaluate('document.activeElement.id'), 'problems');
  await withScript.page.locator('#problems a').first().click();
  assert.equal(await withScript.page.evaluate('document.activeElement.name'), 'q.first');
});

test('a step is checked alone, and the page after a mistake is as good as before it', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.locator('.buttons [value=next]').click();
  assert.equal(await page.locator('#problems li').count(), 1);
  await page.locator('[name="q.first"]').fill('Ann');
  await page.locator('[name="q.first"]').press('Enter');
  await page.locator('[name="q.second"]').fill('Bea');
  await sendForm(seen);
  const [submission] = await clinic.submissions(formId);
  assert.deepEqual(submission.answers, { first: 'Ann', second: 'Bea' });
});

test('answers outlive a reload on any step, and nothing is left of them once they are sent', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.locator('[name="q.first"]').fill('Ann');
  await page.reload();
  assert.equal(await page.locator('[name="q.first"]').inputValue(), 'Ann');
  assert.match(await page.locator('.notes').innerText(), /still here/);
  await page.locator('.buttons [value=next]').click();
  await page.locator('[name="q.second"]').fill('Bea');
  // A reload leads to the first step, and the later answers are not lost.
  await page.reload();
  assert.equal(await page.locator('[name="q.first"]').inputValue(), 'Ann');
  await page.locator('.buttons [value=next]').click();
  assert.equal(await page.locator('[name="q.second"]').inputValue(), 'Bea');
  await sendForm(seen);
  assert.equal(await page.evaluate('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)'), '{}{}');
  const [submission] = await clinic.submissions(formId);
  assert.deepEqual(submission.answers, { first: 'Ann', second: 'Bea' });
});

const PREFILLED = [
  { name: 'mrn', type: 'hidden', prefill: true },
  { name: 'patient', type: 'text', prefill: true },
  { name: 'note', type: 'text' },
];

const noteIn = (page: Page) => page.locator('[name="q.note"]').inputValue();

test('what one patient typed is never shown to the next, in whatever way the form is opened for them', async () => {
  const formId = await clinic.form(PREFILLED);
  const seen = await clinic.open(`${formId}?mrn=111&patient=Ann`);
  const { page } = seen;
  await page.locator('[name="q.note"]').fill('A secret');
  await page.goto(`${clinic.app.url}/f/${formId}?mrn=222&patient=Bob`);
  assert.deepEqual([await page.locator('[name="q.patient"]').inputValue(), await noteIn(page)], ['Bob', '']);
  await page.goto(`${clinic.app.url}/f/${formId}?mrn=111&patient=Ann`);
  assert.equal(await noteIn(page), '');
  await page.goBack();
  await page.locator('[name="q.note"]').fill('A cough');
  await page.reload();
  await page.locator('[name="q.patient"]').fill('Bobby');
  await sendForm(seen);
  const [{ answers }] = await clinic.submissions(formId);
  assert.deepEqual(answers, { mrn: '222', patient: 'Bobby', note: 'A cough' });
});

test('answers are cleared without what the address fills in', async () => {
  const formId = await clinic.form(PREFILLED);
  const { page } = await clinic.open(`${formId}?mrn=222&patient=Bob`);
  await page.locator('[name="q.note"]').fill('A cough');
  await page.reload();
  await page.getByRole('button', { name: 'Clear my answers' }).click();
  await page.waitForFunction(`document.querySelector('[name="q.note"]')?.value === ''`);
  assert.equal(await page.locator('[name="q.patient"]').inputValue(), 'Bob');
});

test('what was typed is there in the other language', async () => {
  const fields = [{ name: 'note', type: 'text', label: 'Note' }];
  const translations = { de: { items: { note: { label: 'Notiz' } } } };
  const formId = await clinic.form([], { form_json: { fields, translations } });
  const { page } = await clinic.open(formId);
  await page.locator('[name="q.note"]').fill('A cough');
  await page.locator('.languages a[hreflang=de]').click();
  await page.locator('label', { hasText: 'Notiz' }).waitFor();
  assert.equal(await noteIn(page), 'A cough');
});

test('answers that were kept are cleared on demand', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const { page } = await clinic.open(formId);
  await page.locator('[name="q.first"]').fill('Ann');
  await page.reload();
  await page.getByRole('button', { name: 'Clear my answers' }).click();
  await page.waitForFunction(`document.querySelector('[name="q.first"]')?.value === ''`);
  assert.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}');
});

test('entries that were taken away do not come back with the answers that were kept', async () => {
  const formId = await clinic.form([{ name: 'drugs', type: 'list', fields: [{ name: 'drug' }] }]);
  const { page } = await clinic.open(formId);
  await page.locator('[name="q.drugs.0.drug"]').fill('one');
  await page.locator('[name=_add]').click();
  await page.locator('[name="q.drugs.1.drug"]').fill('two');
  await page.locator('[name=_remove][value="drugs.0"]').click();
  await page.locator('[name="q.drugs.1.drug"]').waitFor({ state: 'detached' });
  assert.equal(await page.locator('[name="q.drugs.0.drug"]').inputValue(), 'two');
});

test('a double click sends once', async () => {
  const formId = await clinic.form([{ name: 'first', type: 'text' }]);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.locator('[name="q.first"]').fill('Ann');
  await page.locator('.buttons [value=submit]').dblclick();
  await page.waitForURL(/\/done/);
  assert.equal(seen.requests.filter(({ method }) => method === 'POST').length, 1);
  assert.equal((await clinic.submissions(formId)).length, 1);
});

test('who comes back by the back button finds their answers and can go on', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.locator('[name="q.first"]').fill('Ann');
  await page.locator('.buttons [value=next]').click();
  await page.locator('[name="q.second"]').waitFor();
  await page.goBack();
  await page.locator('[name="q.first"]').waitFor();
  assert.equal(await page.locator('[name="q.first"]').inputValue(), 'Ann');
  await page.locator('.buttons [value=next]').click();
  await page.locator('[name="q.second"]').fill('Bea');
  await sendForm(seen);
  assert.equal((await clinic.submissions(formId)).length, 1);
});

test('a page that the back button brings back just as it was left can be sent again', async () => {
  const formId = await clinic.form([{ name: 'first', type: 'text' }]);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.route('**/f/*', (route) => route.abort('aborted'), { times: 1 });
  await page.locator('[name="q.first"]').fill('Ann');
  await page.locator('.buttons [value=submit]').click();
  await page.locator('.buttons [value=submit]:disabled').waitFor();
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await sendForm(seen);
  assert.equal((await clinic.submissions(formId)).length, 1);
});

test('a signature is not kept with the answers', async () => {
  const formId = await clinic.form([
    { name: 'first', type: 'text' },
    { name: 'mark', type: 'signature' },
  ]);
  const { page } = await clinic.open(formId);
  await page.locator('[name="q.mark.name"]').fill('Ann Lee');
  await page.locator('[name="q.mark.confirmed"]').check();
  await page.locator('[name="q.first"]').fill('Ann');
  assert.doesNotMatch(String(await page.evaluate('JSON.stringify(sessionStorage)')), /Lee|mark/);
  await page.reload();
  assert.equal(await page.locator('[name="q.first"]').inputValue(), 'Ann');
  assert.equal(await page.locator('[name="q.mark.confirmed"]').isChecked(), false);
});

/** What phones of 2018 do not have. */
const OLD_PHONE = `
  const lacking = [
    [Array.prototype, 'at findLast findLastIndex flat flatMap toReversed toSorted toSpliced with'],
    [String.prototype, 'at matchAll replaceAll isWellFormed'],
    [Object, 'fromEntries groupBy hasOwn'],
    [Iterator.prototype, 'every filter find flatMap forEach map reduce some take toArray'],
    [Promise, 'allSettled any try withResolvers'],
    [Set.prototype, 'difference intersection union isSubsetOf'],
    [HTMLFormElement.prototype, 'requestSubmit'],
    [SubmitEvent.prototype, 'submitter'],
    [globalThis, 'ResizeObserver structuredClone'],
  ];
  for (const [owner, names] of lacking) for (const name of names.split(' ')) delete owner[name];`;

/** So many that they are looked for by an index. */
const STATES = Array.from({ length: 12 }, (_, n) => `State ${n}`);

test('the script runs on an old phone', async () => {
  const home = [
    { name: 'state', type: 'select', options: STATES },
    { name: 'moved', type: 'text', showWhen: "state == 'State 7'" },
  ];
  const formId = await clinic.form([...SMOKING, ...home]);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.addInitScript(OLD_PHONE);
  await page.reload();
  await page.locator('[name="q.state"]').selectOption('State 7');
  assert.ok(await question(page, 'moved').isVisible());
  await page.locator('[name="q.smoker"][value=yes]').check();
  await page.locator('[name="q.packs"]').fill('2');
  assert.equal(await page.locator('output').textContent(), '14');
  await page.locator('.buttons [value=submit]').click();
  await page.locator('#problems a').waitFor();
  await page.locator('[name="q.first"]').fill('Ann');
  await sendForm(seen);
  assert.deepEqual(seen.errors, []);
});

for (const [name, setUp, solver] of [
  ['in a worker', '', '/f/-/proof-worker.'],
  ['on the main thread where there are no workers', 'delete globalThis.Worker', '/f/-/solve-proof.'],
] as const) {
  test(`the proof of work is done ${name} before the form is sent`, async () => {
    const formId = await clinic.form([{ name: 'first', type: 'text' }]);
    await asOwner(clinic.app, (client) =>
      client.query(
        `insert into form_pages (form_id, customer_id, proof_of_work, updated_at) values ($1, $2, 'enforce', now())`,
        [formId, clinic.customer.id],
      ),
    );
    const seen = await clinic.open(formId);
    const { page } = seen;
    await page.addInitScript(setUp);
    await page.reload();
    await page.locator('[name="q.first"]').fill('Ann');
    clinic.clock.advance(5_000); // nobody is faster than three seconds
    await sendForm(seen);
    assert.deepEqual(seen.errors, []);
    assert.ok(seen.requests.some(({ url }) => url.includes(solver)));
    assert.equal((await clinic.submissions(formId)).length, 1);
  });
}
