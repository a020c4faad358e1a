import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Clinic, openClinic, sendForm } from './patient.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DAY_MS = 24 * 3600_000;

const CARD_AND_DRUGS = [
  { name: 'mrn', type: 'hidden', prefill: true },
  { name: 'card', label: 'Your card', type: 'file' },
  { name: 'drugs', label: 'Drugs', type: 'list', fields: [{ name: 'drug' }] },
];

const TWO_STEPS = {
  form_json: {
    pages: [{ fields: CARD_AND_DRUGS }, { fields: [{ name: 'note', type: 'text' }] }],
    translations: { de: { items: { card: { label: 'Ihre Karte' } } } },
  },
};

const drug = (page: Page, entry: number) => page.locator(`[name="q.drugs.${entry}.drug"]`);
const noteIn = (page: Page) => page.locator('[name="q.note"]');
const go = (page: Page, to: 'next' | 'back') => page.locator(`.buttons [value=${to}]`).click();
const historyOf = (page: Page) => page.evaluate('history.length');

async function choose(page: Page): Promise<void> {
  const card = { name: 'card.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') };
  await page.locator('[name="q.card"]').setInputFiles(card);
}

async function upload(page: Page): Promise<void> {
  await choose(page);
  await page.locator('[data-files] [name=_drop]').waitFor();
}

async function fillInTwoDrugs(page: Page): Promise<void> {
  await drug(page, 0).fill('Aspirin');
  await page.locator('[name=_add]').click();
  await drug(page, 1).fill('Ibuprofen');
}

/** What stands on the first step once the page has settled. */
async function firstStepOf(page: Page) {
  await page.locator('.notes', { hasText: 'still here' }).waitFor();
  const drugs = page.locator('[name^="q.drugs."]');
  return {
    files: await page.locator('.file-name').allInnerTexts(),
    drugs: await drugs.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)),
  };
}

const WHOLE = { files: ['card.png'], drugs: ['Aspirin', 'Ibuprofen'] };

/** What was sent, with the names of its files. */
async function sentTo(formId: string) {
  const [{ answers, attachments }, ...more] = await clinic.submissions(formId);
  assert.equal(more.length, 0);
  return { answers, files: attachments.map(({ name }: { name: string }) => name) };
}

test('the back button of the browser brings back all entries and the file, and what is shown is what is sent', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const seen = await clinic.open(formId, PHONE);
  const { page } = seen;
  await upload(page);
  await fillInTwoDrugs(page);
  await go(page, 'next');
  await noteIn(page).fill('A cough');
  const steps = await historyOf(page);
  await page.goBack();
  assert.deepEqual(await firstStepOf(page), WHOLE);
  assert.equal(await historyOf(page), steps, 'nobody has to go back through a page more than they saw');
  await page.goForward();
  assert.deepEqual(await firstStepOf(page), WHOLE);
  await page.locator('[name=_remove][value="drugs.0"]').click();
  await drug(page, 1).waitFor({ state: 'detached' });
  await go(page, 'next');
  assert.equal(await noteIn(page).inputValue(), 'A cough');
  await sendForm(seen);
  const answers = { drugs: [{ drug: 'Ibuprofen' }], note: 'A cough' };
  assert.deepEqual(await sentTo(formId), { answers, files: ['card.png'] });
  assert.deepEqual(seen.errors, []);
});

test('a reload brings back all entries and the file, with what the address fills in', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const seen = await clinic.open(`${formId}?mrn=111`, PHONE);
  const { page } = seen;
  await upload(page);
  await page.reload();
  assert.deepEqual(await firstStepOf(page), { files: ['card.png'], drugs: [''] });
  assert.equal(new URL(page.url()).search, '?mrn=111');
  await fillInTwoDrugs(page);
  for (const times of [1, 2]) {
    await page.reload();
    assert.deepEqual(await firstStepOf(page), WHOLE, `reload ${times}`);
  }
  await go(page, 'next');
  await sendForm(seen);
  const answers = { mrn: '111', drugs: [{ drug: 'Aspirin' }, { drug: 'Ibuprofen' }] };
  assert.deepEqual(await sentTo(formId), { answers, files: ['card.png'] });
});

test('a file is there in the other language', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const { page } = await clinic.open(formId, PHONE);
  await upload(page);
  await drug(page, 0).fill('Aspirin');
  await page.locator('.languages a[hreflang=de]').click();
  await page.locator('label', { hasText: 'Ihre Karte' }).waitFor();
  await page.locator('.file-name', { hasText: 'card.png' }).waitFor();
  assert.equal(await drug(page, 0).inputValue(), 'Aspirin');
});

test('a file that was taken back does not come back', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const { page } = await clinic.open(formId, PHONE);
  await drug(page, 0).fill('Aspirin');
  await upload(page);
  await page.locator('[data-files] [name=_drop]').click();
  await page.locator('[data-files] li').waitFor({ state: 'detached' });
  await page.reload();
  assert.deepEqual(await firstStepOf(page), { files: [], drugs: ['Aspirin'] });
  assert.equal(await page.locator('.problem').count(), 0);
});

test('a file that the server has no more is asked for again at its question', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const { page } = await clinic.open(formId, PHONE);
  await upload(page);
  await fillInTwoDrugs(page);
  clinic.clock.advance(DAY_MS + 1);
  await page.reload();
  assert.deepEqual(await firstStepOf(page), { ...WHOLE, files: [] });
  assert.match(await page.locator('[data-path=card] .problem').innerText(), /choose it again/);
});

test('a file that had not arrived is asked for again at its question, and its name is kept nowhere', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const { page } = await clinic.open(formId, PHONE);
  await page.route('**/files', () => undefined);
  await choose(page);
  await page.locator('progress').waitFor();
  assert.doesNotMatch(String(await page.evaluate('JSON.stringify(sessionStorage)')), /png/);
  await page.reload();
  await page.locator('[data-path=card] .problem', { hasText: 'choose it again' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await upload(page);
  await page.reload();
  assert.deepEqual((await firstStepOf(page)).files, ['card.png']);
  assert.equal(await page.locator('.problem').count(), 0);
});

for (const [why, setUp] of Object.entries({
  'storage is forbidden': `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError') } })`,
  'storage is full': `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }`,
})) {
  test(`where ${why}, a reload brings back what was sent, as in a form without script`, async () => {
    const formId = await clinic.form([], TWO_STEPS);
    const seen = await clinic.open(formId, PHONE);
    const { page } = seen;
    await page.addInitScript(setUp);
    await page.reload();
    await upload(page);
    await fillInTwoDrugs(page);
    await go(page, 'next');
    await noteIn(page).fill('A cough');
    await page.reload();
    await noteIn(page).fill('A fever');
    await go(page, 'back');
    await page.locator('.file-name', { hasText: 'card.png' }).waitFor();
    assert.equal(await drug(page, 1).inputValue(), 'Ibuprofen');
    await go(page, 'next');
    await sendForm(seen);
    const answers = { drugs: [{ drug: 'Aspirin' }, { drug: 'Ibuprofen' }], note: 'A fever' };
    assert.deepEqual(await sentTo(formId), { answers, files: ['card.png'] });
  });
}

/** Changes what the window keeps as later pages do while this one lies aside, and brings it back just as it was left. */
const comeBackAfter = (page: Page, change: string) =>
  page.evaluate(`{
    const key = Object.keys(sessionStorage).find((one) => one.startsWith('carepost-answers:') && !one.endsWith(':handed-over'));
    const saved = JSON.parse(sessionStorage.getItem(key));
    ${change};
    sessionStorage.setItem(key, JSON.stringify(saved));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  }`);

test('a page that the browser brings back just as it was left knows what was answered since', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const seen = await clinic.open(formId, PHONE);
  const { page } = seen;
  await upload(page);
  await fillInTwoDrugs(page);
  await comeBackAfter(page, `saved.answers.note = 'A cough'; saved.steps[1] = [['q.note', 'A cough']]`);
  assert.equal(await page.locator('.notes').count(), 0, 'it has all that it shows already');
  await drug(page, 0).fill('Heparin');
  await comeBackAfter(
    page,
    `saved.answers.drugs.push({ drug: 'Insulin' }); saved.steps[0].push(['q.drugs.2.drug', 'Insulin'])`,
  );
  assert.deepEqual(await firstStepOf(page), { files: ['card.png'], drugs: ['Heparin', 'Ibuprofen', 'Insulin'] });
  await go(page, 'next');
  assert.equal(await noteIn(page).inputValue(), 'A cough');
  await sendForm(seen);
  const drugs = [{ drug: 'Heparin' }, { drug: 'Ibuprofen' }, { drug: 'Insulin' }];
  assert.deepEqual(await sentTo(formId), { answers: { drugs, note: 'A cough' }, files: ['card.png'] });
});
