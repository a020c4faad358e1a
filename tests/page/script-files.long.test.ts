import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { Page, Request, Route } from 'playwright-core';
import { attachmentPath, download } from '../submissions/submitting.ts';
import type { Visit } from '../support/browser.ts';
import { addOpenForm } from './page-requests.ts';
import { type Clinic, openClinic, sendForm } from './patient.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const SCAN = [
  { name: 'first', type: 'text' },
  { name: 'scan', label: 'Scan', type: 'file', required: true, accept: ['.txt', '.bin'], max_files: 2, max_size: 6e6 },
];

/** What is sent at once, and a file that is a little more. */
const PIECE = 5 * 1024 * 1024;
const LARGE = randomBytes(PIECE + 1_000);

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

function choose(page: Page, ...files: ReturnType<typeof file>[]): Promise<void> {
  return page.locator('[name="q.scan"]').setInputFiles(files);
}

/** Waits until so many files have arrived. */
async function arrived(page: Page, count: number): Promise<void> {
  await page
    .locator('[data-files] [name=_drop]')
    .nth(count - 1)
    .waitFor();
}

/** Whether a request brings what is behind the first piece. */
function isRest(request: Request): boolean {
  return request.headers()['upload-offset'] === String(PIECE);
}

function sentTo({ requests }: Visit, method: string): string[] {
  return requests.filter((each) => each.method === method && each.url.includes('/files')).map(({ url }) => url);
}

/** The files of the only submission of a form, by name. */
async function filesOf(formId: string): Promise<Map<string, Buffer>> {
  const [submission, ...more] = await clinic.submissions(formId);
  assert.equal(more.length, 0);
  const { id } = submission;
  const found = submission.attachments.map(async (each: { id: string; name: string }) => {
    const { bytes } = await download(clinic.app, clinic.customer, attachmentPath(formId, id, each.id));
    return [each.name, bytes] as const;
  });
  return new Map(await Promise.all(found));
}

test('files are sent as they are chosen, may be taken back, and come with the form', async () => {
  const formId = await clinic.form(SCAN);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await choose(page, file('one.txt', Buffer.from('one')), file('two.txt', Buffer.from('two')));
  await arrived(page, 2);
  assert.equal(await page.locator('[name="q.scan"]').inputValue(), '');
  await page.locator('[data-files] li', { hasText: 'one.txt' }).locator('[name=_drop]').click();
  await page.locator('[data-files] li', { hasText: 'one.txt' }).waitFor({ state: 'detached' });
  assert.equal(sentTo(seen, 'DELETE').length, 1);
  await sendForm(seen);
  assert.deepEqual(await filesOf(formId), new Map([['two.txt', Buffer.from('two')]]));
  assert.deepEqual(seen.errors, []);
});

test('a file that is not asked for is refused before any of it is sent', async () => {
  const formId = await clinic.form([{ ...SCAN[1], max_size: 100 }]);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await choose(page, file('one.exe', Buffer.from('one')));
  await page.locator('[data-path=scan] .problem').waitFor();
  await choose(page, file('big.bin', randomBytes(101)));
  await page.locator('[data-path=scan] .problem', { hasText: '100 bytes' }).waitFor();
  assert.deepEqual(sentTo(seen, 'POST'), []);
  await choose(page, file('fits.txt', randomBytes(100)));
  await arrived(page, 1);
  assert.equal(await page.locator('[data-path=scan] .problem').count(), 0);
});

test('a file goes on where its connection broke, and the form waits for it', async () => {
  const formId = await clinic.form(SCAN);
  const seen = await clinic.open(formId);
  const { page } = seen;
  let pieces = 0;
  await page.route('**/files/*', (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    pieces += 1;
    return pieces === 2 ? route.abort('connectionreset') : route.continue();
  });
  await choose(page, file('large.bin', LARGE));
  await sendForm(seen);
  assert.equal(pieces, 3);
  assert.equal(sentTo(seen, 'HEAD').length, 1);
  assert.ok((await filesOf(formId)).get('large.bin')?.equals(LARGE));
});

test('without a connection a file waits, and goes on when there is one', async () => {
  const formId = await clinic.form(SCAN);
  const { page } = await clinic.open(formId);
  await page.context().setOffline(true);
  await choose(page, file('one.txt', Buffer.from('one')));
  await page.locator('.upload-state', { hasText: 'no connection' }).waitFor();
  await page.context().setOffline(false);
  await arrived(page, 1);
});

test('after a reload the same file goes on, and its name is kept nowhere', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-patient-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const onDisk = join(folder, 'large.bin');
  writeFileSync(onDisk, LARGE);
  const formId = await clinic.form(SCAN);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.route('**/files/*', (route) => (isRest(route.request()) ? route.abort() : route.continue()));
  const rest = page.waitForRequest(isRest);
  await page.locator('[name="q.scan"]').setInputFiles(onDisk);
  await rest;
  assert.doesNotMatch(String(await page.evaluate('JSON.stringify([sessionStorage, localStorage])')), /large/);
  await page.unrouteAll();
  await page.reload();
  const created = sentTo(seen, 'POST').length;
  await page.locator('[name="q.scan"]').setInputFiles(onDisk);
  await sendForm(seen);
  assert.equal(sentTo(seen, 'POST').length, created);
  assert.ok((await filesOf(formId)).get('large.bin')?.equals(LARGE));
});

test('a file on its way is given up on demand', async () => {
  const formId = await clinic.form(SCAN);
  const { page } = await clinic.open(formId);
  await page.route('**/files/*', (route) => (route.request().method() === 'PATCH' ? undefined : route.continue()));
  await choose(page, file('one.txt', Buffer.from('one')));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('[data-files] li').waitFor({ state: 'detached' });
  await page.locator('.buttons [value=submit]').click();
  assert.match(await page.locator('#problems').innerText(), /Please send a file/);
});

test('a form is not sent without a file that it waited for in vain', async () => {
  const formId = await clinic.form([{ ...SCAN[1], required: false }]);
  const seen = await clinic.open(formId);
  const { page } = seen;
  const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
  await page.route('**/files', async (route) => {
    await isPressed;
    await route.fulfill({ status: 400 });
  });
  await choose(page, file('one.txt', Buffer.from('one')));
  await page.locator('progress').waitFor();
  await page.locator('.buttons [value=submit]').click();
  assert.ok(await page.locator('.buttons [value=submit]').isDisabled());
  press();
  await page.locator('.upload-state', { hasText: 'could not be sent' }).waitFor();
  await page.locator('.buttons [value=submit]:enabled').waitFor();
  assert.deepEqual(await clinic.submissions(formId), []);
});

test('a file that is chosen while the form waits for another goes with it', async () => {
  const formId = await clinic.form(SCAN);
  const seen = await clinic.open(formId);
  const { page } = seen;
  const [first, second] = [Promise.withResolvers<Route>(), Promise.withResolvers<Route>()];
  const expected = [first, second];
  await page.route('**/files', (route) => expected.shift()?.resolve(route));
  await choose(page, file('one.txt', Buffer.from('one')));
  await page.locator('.buttons [value=submit]').click();
  await page.locator('.buttons [value=submit]:disabled').waitFor();
  await choose(page, file('two.txt', Buffer.from('two')));
  await page.locator('progress').nth(1).waitFor();
  await (await first.promise).continue();
  await arrived(page, 1);
  await (await second.promise).continue();
  await page.waitForURL(/\/done/);
  assert.deepEqual([...(await filesOf(formId)).keys()].toSorted(), ['one.txt', 'two.txt']);
});

const TWO_STEPS = { form_json: { pages: [{ fields: [{ ...SCAN[1], required: false }] }, { fields: [SCAN[0]] }] } };

/** Has a dialog that was open bring a file once the form is on its way. */
const bringLate = (name: string) => `document.forms[0].addEventListener('submit', () => {
  setTimeout(() => {
    const input = document.querySelector('[name="q.scan"]');
    const chosen = new DataTransfer();
    chosen.items.add(new File(['late'], '${name}'));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, 500);
}, { once: true })`;

/** Presses a button whose page never comes, as `meet` has it, while a dialog brings a file. */
async function pressAndBring(page: Page, button: string, name: string, meet: (route: Route) => unknown = () => null) {
  let met: Promise<unknown> | undefined;
  await page.evaluate(bringLate(name));
  await page.route('**/f/*', async (route) => {
    if (met === undefined) met = Promise.resolve(meet(route));
    else await met.then(() => route.continue());
  });
  await page.locator(`.buttons [value=${button}]`).click({ noWaitAfter: true });
}

test('a file that a dialog brings while the next page is already on its way goes along', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const seen = await clinic.open(formId);
  await pressAndBring(seen.page, 'next', 'late.txt');
  await seen.page.locator('[name="q.first"]').waitFor();
  await sendForm(seen);
  assert.deepEqual([...(await filesOf(formId)).keys()], ['late.txt']);
});

test('a file that comes while the next page is on its way and is not asked for is told where it was chosen', async () => {
  const formId = await clinic.form([], TWO_STEPS);
  const { page } = await clinic.open(formId);
  await pressAndBring(page, 'next', 'late.exe');
  await page.locator('[data-path=scan] .problem').waitFor();
  await page.locator('.buttons [value=next]:enabled').click();
  await page.locator('[name="q.first"]').waitFor();
});

test('who chooses a file once the form was taken is told that it came too late', async () => {
  const formId = await clinic.form([{ ...SCAN[1], required: false }]);
  const { page } = await clinic.open(formId);
  await pressAndBring(page, 'submit', 'late.txt', (route) => route.fetch({ maxRedirects: 0 }));
  await page.getByText('What you changed after that was not sent').waitFor();
  assert.equal((await filesOf(formId)).size, 0);
});

test('a file that failed holds the form back until it is chosen again or given up', async () => {
  const formId = await clinic.form([{ ...SCAN[1], required: false }]);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.route('**/files', (route) => route.fulfill({ status: 400 }));
  await choose(page, file('one.txt', Buffer.from('one')), file('two.txt', Buffer.from('two')));
  await page.locator('.upload-state', { hasText: 'could not be sent' }).nth(1).waitFor();
  await page.locator('.buttons [value=submit]').click();
  await page.locator('.buttons [value=submit]:enabled').waitFor();
  assert.deepEqual(await clinic.submissions(formId), []);
  await page.unrouteAll();
  await choose(page, file('one.txt', Buffer.from('one')));
  await arrived(page, 1);
  await page.locator('[data-files] li', { hasText: 'two.txt' }).locator('button').click();
  await sendForm(seen);
  assert.deepEqual(await filesOf(formId), new Map([['one.txt', Buffer.from('one')]]));
});

test('the same file goes to two forms, and twice to one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-patient-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const onDisk = join(folder, 'card.txt');
  writeFileSync(onDisk, 'a card');
  const [one, other] = [await clinic.form(SCAN), await clinic.form(SCAN)];
  const seen = await clinic.open(one);
  const { page } = seen;
  for (const count of [1, 2]) {
    await page.locator('[name="q.scan"]').setInputFiles(onDisk);
    await arrived(page, count);
  }
  const tokens = JSON.parse(await page.locator('[name=_files]').inputValue());
  assert.equal(new Set(tokens.scan).size, 2);
  await page.goto(`${clinic.app.url}/f/${other}`);
  await page.locator('[name="q.scan"]').setInputFiles(onDisk);
  await arrived(page, 1);
  await sendForm(seen);
  assert.deepEqual(await filesOf(other), new Map([['card.txt', Buffer.from('a card')]]));
});

test('files come to a form that a link and a password open', async () => {
  const password = 'a password of ours';
  const settings = { password, single_use: true };
  const formId = await addOpenForm(clinic.app, clinic.customer, settings, { form_json: { fields: SCAN } });
  const path = `/api/forms/${formId}/links`;
  const { body } = await clinic.app.request('POST', path, { key: clinic.customer.key, body: { count: 1 } });
  const seen = await clinic.open(new URL(body.data[0].url).pathname.replace('/f/', ''));
  const { page } = seen;
  await page.locator('[name=password]').fill(password);
  await page.locator('[name=password]').press('Enter');
  await choose(page, file('one.txt', Buffer.from('one')));
  await arrived(page, 1);
  await sendForm(seen);
  assert.deepEqual(await filesOf(formId), new Map([['one.txt', Buffer.from('one')]]));
});

test('where the sender of files does not load, files go with the form', async () => {
  const formId = await clinic.form(SCAN);
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.route('**/send-file.*', (route) => route.abort());
  await page.reload();
  await choose(page, file('one.txt', Buffer.from('one')));
  await sendForm(seen);
  assert.deepEqual(await filesOf(formId), new Map([['one.txt', Buffer.from('one')]]));
});

/** Draws a line on the pad. */
async function draw(page: Page): Promise<void> {
  const canvas = page.locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 60, { steps: 6 });
  await page.mouse.up();
}

test('a signature is drawn, kept when the window changes, and sent as a picture', async () => {
  const formId = await clinic.form([{ name: 'first', type: 'text' }], { signable: true });
  const seen = await clinic.open(formId, { viewport: { width: 800, height: 700 } });
  const { page } = seen;
  await page.locator('[name="_signature.name"]').fill('Ann Lee');
  assert.equal(await page.locator('.signature-preview').innerText(), 'Ann Lee');
  await page.getByLabel('By drawing it here').check();
  await draw(page);
  const image = page.locator('[name="_signature.image"]');
  assert.match(await image.inputValue(), /^data:image\/png;base64,/);
  await page.setViewportSize({ width: 360, height: 700 });
  await page.waitForFunction(`document.querySelector('canvas').clientWidth < 360`);
  const ink = `document.querySelector('canvas').getContext('2d').getImageData(0, 0, 300, 100).data.some((x) => x > 0)`;
  assert.equal(await page.evaluate(ink), true);
  await page.getByRole('button', { name: 'Clear the drawing' }).click();
  assert.equal(await image.inputValue(), '');
  assert.equal(await page.evaluate(ink), false);
  await draw(page);
  await page.locator('[name="_signature.confirmed"]').check();
  await sendForm(seen);
  const [{ signature }] = await clinic.submissions(formId);
  assert.equal(signature.method, 'drawn');
  assert.deepEqual(seen.errors, []);
});
