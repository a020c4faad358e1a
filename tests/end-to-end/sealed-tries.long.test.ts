import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { type Clinic, openClinic } from '../page/patient.ts';
import { eventually } from '../support/eventually.ts';
import { addSealedForm, type Key, newKey } from './sealing.ts';

let clinic: Clinic;
let key: Key;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
  key = await newKey();
});

const HOUR = 3_600_000;
const PASSWORD = 'a long password';

const noteIn = (page: Page) => page.locator('[name="q.note"]');
const press = (page: Page) => page.locator('.buttons [value=submit]:enabled').click();

/** An encrypted form of these questions that stands open as these settings say. */
async function sealedForm(settings: object, more: object[] = []): Promise<string> {
  const { app, customer } = clinic;
  const fields = [{ name: 'note', type: 'text' }, ...more];
  const formId = await addSealedForm(app, customer, [key], { form_json: { fields } });
  const { status } = await app.request('PUT', `/api/forms/${formId}/page`, { key: customer.key, body: settings });
  assert.equal(status, 200);
  return formId;
}

async function fillIn(page: Page): Promise<void> {
  await page.locator('[data-sealed]:enabled').waitFor();
  await noteIn(page).fill('A cough');
}

async function assertTaken(page: Page, formId: string): Promise<void> {
  await page.waitForURL(/\/done/);
  assert.equal((await clinic.submissions(formId)).length, 1);
}

test('a form with a password is taken from whoever fills it in for hours', async () => {
  const formId = await sealedForm({ password: PASSWORD });
  const { page } = await clinic.open(formId);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.locator('[name=password]').press('Enter');
  await fillIn(page);
  clinic.clock.advance(20 * HOUR);
  await press(page);
  await assertTaken(page, formId);
});

test('a pass is renewed when a form was not taken', async () => {
  const formId = await sealedForm({ password: PASSWORD });
  const { page } = await clinic.open(formId);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.locator('[name=password]').press('Enter');
  await fillIn(page);
  clinic.clock.advance(24 * HOUR + 60_000);
  await press(page);
  await page.locator('#not-taken', { hasText: 'open for a long time' }).waitFor();
  clinic.clock.advance(20 * HOUR);
  await press(page);
  await assertTaken(page, formId);
});

test('a form that wants a proof of work makes one anew where it could not be made', async () => {
  const formId = await sealedForm({ proof_of_work: 'enforce' });
  const { page } = await clinic.open(formId);
  await page.route('**/challenge', (route) => route.abort(), { times: 1 });
  await fillIn(page);
  await press(page);
  await assertTaken(page, formId);
});

test('a form that wants a proof of work makes one anew where it was too old', async () => {
  const formId = await sealedForm({ proof_of_work: 'enforce' });
  const { page } = await clinic.open(formId);
  await fillIn(page);
  await eventually(() => page.locator('[name=_proof]').inputValue());
  clinic.clock.advance(5 * HOUR);
  await press(page);
  await page.locator('#not-taken').waitFor();
  await press(page);
  await assertTaken(page, formId);
});

const SCAN = { name: 'scan', type: 'file', max_files: 2 };

const scan = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });

/** Presses the button that sends the form, and holds what is sent on its way. */
async function holdPost(page: Page, formId: string): Promise<Route> {
  const { promise, resolve } = Promise.withResolvers<Route>();
  await page.route(`**/f/${formId}`, resolve, { times: 1 });
  await press(page);
  return promise;
}

test('while a form is on its way nothing can be chosen or typed, and one is told', async () => {
  const formId = await sealedForm({}, [SCAN]);
  const { page } = await clinic.open(formId);
  await fillIn(page);
  const held = await holdPost(page, formId);
  assert.equal(await page.locator('.question[inert]').count(), 2);
  assert.equal(await page.locator('.announcer').innerText(), 'Sending …');
  await held.abort('connectionreset');
  await page.locator('#not-taken').waitFor();
  await page.locator('[name="q.scan"]').setInputFiles(scan('one.txt'));
  await page.locator('[data-files] [name=_drop]').waitFor();
  assert.equal(await page.locator('.question[inert]').count(), 0);
  await press(page);
  await assertTaken(page, formId);
  const [{ attachments }] = await clinic.submissions(formId);
  assert.equal(attachments.length, 1);
});

test('who chooses a file all the same while a form is on its way is told that it came too late', async () => {
  const formId = await sealedForm({}, [SCAN]);
  const { page } = await clinic.open(formId);
  await fillIn(page);
  const held = await holdPost(page, formId);
  await page.locator('[name="q.scan"]').setInputFiles(scan('late.txt'));
  await page.locator('[data-files] li').waitFor();
  await held.continue();
  await page.locator('#not-taken', { hasText: 'What you changed after that was not sent' }).waitFor();
  const [{ attachments }, ...others] = await clinic.submissions(formId);
  assert.deepEqual([attachments.length, others.length], [0, 0]);
});

/** Lets the browser bring the page back just as it was left. */
const bringBack = (page: Page) =>
  page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);

test('a form that was not sent is there as it was left', async () => {
  const formId = await sealedForm({});
  const seen = await clinic.open(formId);
  const { page } = seen;
  await fillIn(page);
  const opened = seen.requests.length;
  await bringBack(page);
  await press(page);
  await assertTaken(page, formId);
  assert.equal(
    seen.requests.slice(opened).some(({ method, url }) => method === 'GET' && url.endsWith(formId)),
    false,
  );
});

test('a form that was sent is begun anew', async () => {
  const formId = await sealedForm({});
  const { page } = await clinic.open(formId);
  await fillIn(page);
  await page.route('**/done?*', (route) =>
    route.request().isNavigationRequest() ? route.abort('aborted') : route.continue(),
  );
  await press(page);
  await eventually(() => page.evaluate<boolean>('history.state.carepostSent === true'));
  await bringBack(page);
  await eventually(async () => {
    const isEmpty = `document.querySelector('[name="q.note"]').value === ''`;
    return page.evaluate<boolean>(isEmpty).catch(() => false);
  });
});
