import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findColoursReadable, findNothingWrong } from '../e2e/axe.ts';
import { foreignOrigins, openBrowser } from '../support/browser.ts';
import { type Clinic, openClinic } from './clinic.ts';
import { enter } from './enter.ts';
import { OPERATOR_PAGES, roomPages } from './rooms.ts';

let clinic: Clinic;
let browser: Browser;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
  browser = await openBrowser(t as TestContext);
});

/** Waits until a page has read all that it asks for. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Whether nothing but tables and canvases must be scrolled sideways. */
const FITS = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';

const WIDE = { width: 1280, height: 1000 };
const PHONE = { width: 390, height: 844 };

/** Looks at one page in every way that it can be looked at. */
async function lookAt(page: Page, name: string): Promise<void> {
  await settle(page);
  assert.equal(await page.getByRole('alert').filter({ hasText: 'went wrong' }).count(), 0, name);
  await findNothingWrong(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await findColoursReadable(page, `${name} in the dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  assert.equal(await page.evaluate(FITS), true, `${name} on a phone`);
  await page.setViewportSize(WIDE);
}

test('in every room axe finds nothing in light and dark, a phone need not be scrolled sideways, nothing foreign is loaded and nothing fails', async () => {
  const visiting = { app: clinic.app, customer: clinic.customer, role: 'owner', path: '/' } as const;
  const seen = await enter(browser, visiting, { reducedMotion: 'reduce' });
  for (const [name, path] of Object.entries(roomPages(clinic))) {
    await seen.page.goto(`${clinic.app.url}/app${path}`);
    await lookAt(seen.page, name);
  }
  assert.deepEqual(foreignOrigins(seen, clinic.app.url), []);
  assert.deepEqual(seen.errors, []);
  await seen.page.context().close();
});

test('where nothing is, there is a heading that says so, and axe finds nothing', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const visiting = { app: clinic.app, customer: clinic.customer, role: 'owner', path: '/' } as const;
  const { page } = await enter(browser, visiting);
  for (const path of ['/nowhere', `/forms/${nobody}`, `/forms/${nobody}/share`, `/email/messages/${nobody}`]) {
    await page.goto(`${clinic.app.url}/app${path}`);
    await page
      .getByText(/This page does not exist|Something went wrong/)
      .first()
      .waitFor();
    await settle(page);
    assert.equal(await page.getByRole('main').count(), 1, path);
    await findNothingWrong(page, path);
  }
  await page.context().close();
});

test('an operator finds the machine and nothing of the customers but their names and counts', async () => {
  const visiting = { app: clinic.app, customer: null, role: 'operator', path: '/operator/health' } as const;
  const seen = await enter(browser, visiting, { reducedMotion: 'reduce' });
  for (const [name, path] of Object.entries(OPERATOR_PAGES)) {
    await seen.page.goto(`${clinic.app.url}/app${path}`);
    await lookAt(seen.page, name);
    assert.doesNotMatch(await seen.page.locator('main').innerText(), /patients\.example|Ada|Nowak/);
  }
  assert.deepEqual(seen.errors, []);
  await seen.page.context().close();
});

test('the page about the dashboard has a picture of every room', () => {
  const docs = join(import.meta.dirname, '..', '..', 'docs');
  const page = readFileSync(join(docs, 'dashboard.md'), 'utf8');
  const pictures = [...Object.keys(roomPages(clinic)), ...Object.keys(OPERATOR_PAGES)].map(
    (name) => `images/dashboard-${name}.png`,
  );
  assert.deepEqual(
    pictures.filter((picture) => !page.includes(`](${picture})`) || !existsSync(join(docs, picture))),
    [],
  );
});

test('a reader finds no page that shows people, and none that fails', async () => {
  const visiting = { app: clinic.app, customer: clinic.customer, role: 'reader', path: '/' } as const;
  const seen = await enter(browser, visiting);
  const links = seen.page.getByRole('navigation', { name: 'Rooms' }).getByRole('link');
  const found = new Set(['/app/']);
  for (const path of found) {
    await seen.page.goto(`${clinic.app.url}${path}`);
    await settle(seen.page);
    assert.doesNotMatch(await seen.page.locator('main').innerText(), /patients\.example|Nowak|went wrong/, path);
    for (const link of await links.all()) found.add((await link.getAttribute('href')) as string);
  }
  const rooms = ['email', 'forms', 'marketing', 'settings'].map(
    (room) => [...found].filter((path) => path.startsWith(`/app/${room}/`)).length,
  );
  assert.deepEqual(rooms, [3, 1, 4, 3], 'every place of every room');
  assert.deepEqual(seen.errors, []);
  await seen.page.context().close();
});
