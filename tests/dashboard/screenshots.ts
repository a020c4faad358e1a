// `node tests/run.ts tests/dashboard/screenshots.ts` takes the pictures of docs/dashboard.md anew.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowser } from '../support/browser.ts';
import { openClinic } from './clinic.ts';
import { enter } from './enter.ts';
import { OPERATOR_PAGES, roomPages } from './rooms.ts';

const IMAGES = join(import.meta.dirname, '..', '..', 'docs', 'images');
const WINDOW = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
/** Pages that are shown dark, so that both appearances are in sight. */
const DARK = new Set(['email-message', 'forms-submissions', 'marketing-send', 'settings-audit']);

test('pictures of every room', async (t) => {
  mkdirSync(IMAGES, { recursive: true });
  const clinic = await openClinic(t);
  const browser = await openBrowser(t);
  const take = async (role: 'owner' | 'operator', pages: Record<string, string>) => {
    const customer = role === 'operator' ? null : clinic.customer;
    const { page, person } = await enter(browser, { app: clinic.app, customer, role, path: '/' }, WINDOW);
    await person.request('PATCH', '/app/api/me', { body: { name: role === 'owner' ? 'Ann Lee' : 'Olu Ade' } });
    if (role === 'owner') await person.request('PATCH', '/app/api/customer', { body: { name: 'Maple Street Clinic' } });
    for (const [name, path] of Object.entries(pages)) {
      await page.emulateMedia({ colorScheme: DARK.has(name) ? 'dark' : 'light' });
      await page.goto(`${clinic.app.url}/app${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(IMAGES, `dashboard-${name}.png`) });
    }
  };
  await take('owner', roomPages(clinic));
  await take('operator', OPERATOR_PAGES);
});
