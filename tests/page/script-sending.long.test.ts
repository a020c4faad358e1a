import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import type { Visit } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type Clinic, openClinic, sendForm } from './patient.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const NOTE_AND_DRUGS = [
  { name: 'note', type: 'text' },
  { name: 'drugs', type: 'list', fields: [{ name: 'drug' }] },
];

const noteIn = (page: Page) => page.locator('[name="q.note"]');
const sendButton = (page: Page) => page.locator('.buttons [value=submit]');

/** Lets the first post of a form come to nothing, as `lose` says. */
async function losePost(page: Page, lose: (route: Route) => unknown): Promise<void> {
  let isLost = false;
  await page.route('**/f/*', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback();
    isLost = true;
    return lose(route);
  });
}

/** Presses the button that sends the form, which the server takes, and stops waiting before the reply has come. */
async function sendIntoTheDark({ page }: Visit): Promise<void> {
  await losePost(page, async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort('aborted');
  });
  const lost = page.waitForEvent('requestfailed');
  await sendButton(page).click({ noWaitAfter: true });
  await lost;
}

/** Goes back to a form that was sent, in whose place an empty one is opened. */
async function goBackToBeginAnew(page: Page): Promise<void> {
  await page.goBack();
  const isAnew = `performance.getEntriesByType('navigation')[0].type === 'navigate'`;
  await eventually(() => page.evaluate<boolean>(isAnew).catch(() => false));
  assert.equal(await noteIn(page).inputValue(), '');
}

/** What was sent to a form, by the note; the clock stands, so that none came first. */
async function answersTo(formId: string) {
  const sent = (await clinic.submissions(formId)).map(({ answers }) => answers);
  return sent.toSorted((one, other) => one.note.localeCompare(other.note));
}

async function fillIn({ page }: Visit): Promise<void> {
  await noteIn(page).fill('A cough');
  await page.locator('[name="q.drugs.0.drug"]').fill('Aspirin');
  await page.locator('[name=_add]').click();
  await page.locator('[name="q.drugs.1.drug"]').fill('Ibuprofen');
}

const FILLED = { note: 'A cough', drugs: [{ drug: 'Aspirin' }, { drug: 'Ibuprofen' }] };

const WAYS_BACK: Record<string, (page: Page) => Promise<unknown>> = {
  'reloads the page': (page) => page.evaluate('location.reload()'),
  'reloads the page twice': async (page) => {
    await page.evaluate('location.reload()');
    await page.locator('.notes', { hasText: 'still here' }).waitFor();
    await page.reload();
  },
  'goes elsewhere and back': async (page) => {
    await page.goto('about:blank');
    await page.goBack();
  },
};

for (const [way, comeBack] of Object.entries(WAYS_BACK)) {
  test(`a form whose reply was lost is taken once by whoever ${way} and sends it again`, async () => {
    const formId = await clinic.form(NOTE_AND_DRUGS);
    const seen = await clinic.open(formId);
    const { page } = seen;
    await fillIn(seen);
    await sendIntoTheDark(seen);
    await comeBack(page);
    await page.locator('.notes', { hasText: 'still here' }).waitFor();
    await page.locator('[name="q.drugs.1.drug"]').waitFor();
    await sendForm(seen);
    assert.deepEqual(await answersTo(formId), [FILLED]);
    assert.deepEqual(seen.errors, []);
  });
}

test('a form whose reply was lost is taken once by whoever sends it again in the other language', async () => {
  const translations = { de: { items: { note: { label: 'Notiz' } } } };
  const formId = await clinic.form([], { form_json: { fields: NOTE_AND_DRUGS, translations } });
  const seen = await clinic.open(formId);
  const { page } = seen;
  await noteIn(page).fill('A cough');
  await sendIntoTheDark(seen);
  await page.evaluate(`document.querySelector('.languages [hreflang=de]').click()`);
  await page.locator('label', { hasText: 'Notiz' }).waitFor();
  await sendForm(seen);
  assert.deepEqual(await answersTo(formId), [{ note: 'A cough' }]);
});

test('who changes answers that were taken already is told so, and then fills in another form', async () => {
  const formId = await clinic.form(NOTE_AND_DRUGS);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await fillIn(seen);
  await sendIntoTheDark(seen);
  await page.evaluate('location.reload()');
  await page.locator('.notes', { hasText: 'still here' }).waitFor();
  await noteIn(page).fill('A fever');
  await sendButton(page).click();
  await page.getByText('have arrived already').waitFor();
  assert.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}');
  await goBackToBeginAnew(page);
  await noteIn(page).fill('Another cough');
  await page.reload();
  await page.locator('.notes', { hasText: 'still here' }).waitFor();
  await sendForm(seen);
  assert.deepEqual(await answersTo(formId), [FILLED, { note: 'Another cough' }]);
});

test('who sends a form and fills in another one sends each of them', async () => {
  const formId = await clinic.form(NOTE_AND_DRUGS);
  const seen = await clinic.open(formId);
  const { page } = seen;
  for (const note of ['A cough', 'A fever', 'A rash']) {
    await noteIn(page).fill(note);
    await page.reload();
    await sendForm(seen);
    await goBackToBeginAnew(page);
    await page.reload();
  }
  assert.deepEqual(await answersTo(formId), [{ note: 'A cough' }, { note: 'A fever' }, { note: 'A rash' }]);
});

test('a form whose next page does not come can be sent again after a while, in browsers that tell nothing of it', async () => {
  const formId = await clinic.form(NOTE_AND_DRUGS);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.clock.install();
  await page.addInitScript('delete window.navigation');
  await page.reload();
  await noteIn(page).fill('A cough');
  await losePost(page, (route) => route.abort('aborted'));
  await sendButton(page).click({ noWaitAfter: true });
  await page.locator('.buttons [value=submit]:disabled').waitFor();
  await page.clock.runFor(15_000);
  assert.ok(await sendButton(page).isDisabled());
  await page.clock.runFor(10_000);
  assert.ok(await sendButton(page).isEnabled());
  await sendForm(seen);
  assert.deepEqual(await answersTo(formId), [{ note: 'A cough' }]);
});

test('without a connection a form stays where it is and says so, and goes when there is one', async () => {
  const formId = await clinic.form(NOTE_AND_DRUGS);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await noteIn(page).fill('A cough');
  await page.context().setOffline(true);
  await sendButton(page).click();
  await page.locator('.announcer', { hasText: 'no connection' }).waitFor();
  assert.equal(await noteIn(page).inputValue(), 'A cough');
  await page.context().setOffline(false);
  await sendForm(seen);
  assert.deepEqual(await answersTo(formId), [{ note: 'A cough' }]);
});

/** Presses the browser's Stop while the form is on its way, and notes how many controls could be used until then. */
const STOP_ON_THE_WAY = `document.forms[0].addEventListener('submit', () => {
  setTimeout(() => {
    window.usable = document.querySelectorAll('.question:not([inert]), .buttons [value=submit]:enabled').length;
    window.stop();
  }, 500);
}, { once: true })`;

for (const [where, setUp] of Object.entries({
  '': '',
  ', also in a browser that holds nothing still by itself': 'delete HTMLElement.prototype.inert',
})) {
  test(`while a form is on its way nothing can be chosen or typed, until somebody stops the browser${where}`, async () => {
    const formId = await clinic.form([...NOTE_AND_DRUGS, { name: 'scan', type: 'file' }]);
    const seen = await clinic.open(formId);
    const { page } = seen;
    await page.addInitScript(setUp);
    await page.reload();
    await noteIn(page).fill('A cough');
    await page.evaluate(STOP_ON_THE_WAY);
    await losePost(page, () => undefined);
    const stopped = page.waitForEvent('requestfailed');
    await sendButton(page).click({ noWaitAfter: true });
    await stopped;
    // The page gives the reply up after 20 s in any case.
    await page.locator('.buttons [value=submit]:enabled').waitFor({ timeout: 10_000 });
    assert.equal(await page.evaluate('window.usable'), 0);
    assert.equal(await page.locator('.question[inert]').count(), 0);
    await sendForm(seen);
    assert.deepEqual(await answersTo(formId), [{ note: 'A cough' }]);
  });
}
