// `node tests/run.ts tests/e2e/screenshots.ts` takes the pictures of docs/forms.md anew.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openClinic } from '../page/patient.ts';
import { fillFirst, fillSecond, goTo, press, send } from './fill-in.ts';
import { INTAKE } from './intake.ts';

const IMAGES = join(import.meta.dirname, '..', '..', 'docs', 'images');
const PHONE = { viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' } as const;
const DESKTOP = { viewport: { width: 900, height: 700 } };
const DESCRIPTION = 'Please take ten minutes for this. Only your care team reads it.';
/** The points of a signature, in parts of the field. */
const STROKE = [
  [0.15, 0.7],
  [0.22, 0.25],
  [0.29, 0.72],
  [0.2, 0.52],
  [0.34, 0.5],
  [0.4, 0.68],
  [0.47, 0.48],
  [0.53, 0.68],
  [0.6, 0.47],
  [0.68, 0.66],
  [0.85, 0.42],
] as const;

async function sign(page: Page): Promise<void> {
  await page.locator('[name="q.mark.method"][value=drawn]').check();
  const canvas = page.locator('canvas');
  await canvas.scrollIntoViewIfNeeded();
  await page.locator('canvas[style]').waitFor();
  const box = await canvas.boundingBox();
  if (box === null) return;
  for (const [i, [x, y]] of STROKE.entries()) {
    await page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 8 });
    if (i === 0) await page.mouse.down();
  }
  await page.mouse.up();
}

/** Shows the page from an element on, with a little room above it. */
async function scrollTo(page: Page, selector: string): Promise<void> {
  await page.evaluate(
    `scrollTo(0, scrollY + document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top - 12)`,
  );
}

test('pictures of the page', async (t) => {
  mkdirSync(IMAGES, { recursive: true });
  const clinic = await openClinic(t);
  const formId = await clinic.form([], { title: 'Before your visit', description: DESCRIPTION, form_json: INTAKE });
  const take = (page: Page, name: string) => page.screenshot({ path: join(IMAGES, `forms-${name}.png`) });

  const { page: desktop } = await clinic.open(formId, DESKTOP);
  await take(desktop, 'desktop');

  const { page: arabic } = await clinic.open(`${formId}?language=ar`, PHONE);
  await fillFirst(arabic);
  await press(arabic, 'next');
  await arabic.locator('[name="q.smoker"][value=some]').check();
  await take(arabic, 'arabic');

  const { page } = await clinic.open(formId, PHONE);
  await press(page, 'next');
  await take(page, 'problems');
  await fillFirst(page);
  await goTo(page, 2);
  await fillSecond(page);
  await goTo(page, 3);
  const network = await page.context().newCDPSession(page);
  const speed = { offline: false, latency: 0, downloadThroughput: -1 };
  await network.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: 200_000 });
  const buffer = Buffer.alloc(1_200_000);
  await page.locator('[name="q.card"]').setInputFiles({ name: 'insurance card.jpg', mimeType: 'image/jpeg', buffer });
  await page.locator('.upload-state', { hasText: /: [3-7]\d %/ }).waitFor();
  await page.locator('[name="q.medications.0.drug"]').fill('Aspirin');
  await scrollTo(page, '[name=_add]');
  await take(page, 'upload');
  await network.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 });
  await page.locator('[name="q.privacy"]').check();
  await page.locator('[name="q.mark.name"]').fill('Ann Lee');
  await sign(page);
  await page.locator('[name="q.mark.confirmed"]').check();
  await page.setViewportSize({ width: 360, height: 760 });
  await scrollTo(page, '[data-signature]');
  await take(page, 'signature');
  await send(page);
  await page.setViewportSize({ width: 360, height: 300 });
  await take(page, 'thanks');
});
