import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Clinic, openClinic } from '../page/patient.ts';
import { fillFirst, fillSecond, fillThird, goTo, press } from './fill-in.ts';
import { INTAKE } from './intake.ts';

let clinic: Clinic;
before(async (t) => {
  clinic = await openClinic(t as TestContext);
});

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(3);

/** What stands out to the side, and what is too small for a finger. A label enlarges its control. */
const FAULTS = `(() => {
  const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth
    ? [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth)
        .map((one) => 'too wide: ' + one.outerHTML.slice(0, 200))
    : [];
  const boxOf = (one) => (one.labels?.[0]?.parentElement?.classList.contains('choice') ? one.labels[0] : one)
    .getBoundingClientRect();
  const small = [...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea')]
    .filter((one) => one.checkVisibility() && one.closest('.aside') === null)
    .filter((one) => boxOf(one).width < 24 || boxOf(one).height < 24)
    .map((one) => 'too small: ' + one.outerHTML.slice(0, 200));
  return [...wide, ...small];
})()`;

/** Where the focus goes by the Tab key, each time as far as it can be seen. */
const FOCUS = `(() => {
  const { activeElement: one } = document;
  if (one === null || one === document.body) return null;
  const { left, top, width, height } = one.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = at !== null && (one.contains(at) || [...(one.labels ?? [])].some((label) => label.contains(at)));
  return { name: one.outerHTML.slice(0, 200), isSeen };
})()`;

async function findNoFault(page: Page, state: string): Promise<void> {
  assert.deepEqual(await page.evaluate(FAULTS), [], state);
}

async function tabThrough(page: Page): Promise<void> {
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
  for (let i = 0; i < 100; i += 1) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(FOCUS)) as { name: string; isSeen: boolean } | null;
    if (focused === null) return;
    assert.ok(focused.isSeen, focused.name);
  }
  assert.fail('the focus does not leave the page');
}

for (const [name, viewport] of Object.entries({
  'a phone': { width: 360, height: 640 },
  'a page at 400 %': { width: 320, height: 256 },
})) {
  test(`on ${name} nothing stands out to the side, is too small to touch, or has the focus out of sight`, async () => {
    const formId = await clinic.form([], { title: `Before your visit ${LONG}`, description: LONG, form_json: INTAKE });
    const { page } = await clinic.open(formId, { viewport });
    await findNoFault(page, 'first step');
    await press(page, 'next');
    await page.locator('#problems a').first().waitFor();
    await findNoFault(page, 'first step, with problems');
    await tabThrough(page);
    await fillFirst(page);
    await goTo(page, 2);
    await fillSecond(page);
    await findNoFault(page, 'second step');
    await tabThrough(page);
    await goTo(page, 3);
    await fillThird(page);
    await page.locator('[name="q.card"]').setInputFiles({
      name: `${LONG}.pdf`,
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7\n'),
    });
    await page.locator('[name=_drop]').nth(1).waitFor();
    await page.locator('[name="q.mark.method"][value=drawn]').check();
    await page.locator('canvas').waitFor();
    await findNoFault(page, 'third step');
    await tabThrough(page);
    await page.context().close();
  });
}

test('the page is whole with colours of one’s own and without motion', async () => {
  const formId = await clinic.form([], { title: 'Before your visit', form_json: INTAKE });
  const { page } = await clinic.open(formId, { forcedColors: 'active', reducedMotion: 'reduce' });
  await fillFirst(page);
  await goTo(page, 2);
  const looks = `(() => {
    const [chosen, open] = ['no', 'daily'].map((value) => document.querySelector('[name="q.smoker"][value=' + value + ']'));
    chosen.click();
    const styleOf = (one) => getComputedStyle(one.nextElementSibling);
    const button = getComputedStyle(document.querySelector('.buttons button'));
    return { marks: [styleOf(chosen).borderTopWidth, styleOf(open).borderTopWidth], motion: button.transitionDuration };
  })()`;
  assert.deepEqual(await page.evaluate(looks), { marks: ['3px', '1px'], motion: '0s' });
});

/** The lines of a choice that begin in the middle of a word. */
const BROKEN_WORDS = `[...document.querySelectorAll('.choice > label')].flatMap((label) => {
  const [text] = label.childNodes;
  const topOf = (at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().top;
  };
  const inWord = (at) => /\\S\\S/.test(text.data.slice(at - 1, at + 1));
  return [...text.data].flatMap((_letter, at) => (at > 0 && inWord(at) && topOf(at) > topOf(at - 1) ? [text.data] : []));
})`;

test('the choices of a table keep their words whole on a phone', async () => {
  const columns = ['Überhaupt nicht', 'An einzelnen Tagen', 'An mehr als der Hälfte der Tage', 'Beinahe jeden Tag'];
  const formId = await clinic.form([{ type: 'matrix', name: 'phq', rows: ['Wenig Interesse'], columns }]);
  const { page } = await clinic.open(formId, { viewport: { width: 360, height: 640 } });
  assert.deepEqual(await page.evaluate(BROKEN_WORDS), []);
  await page.context().close();
});

/** What phones of 2018 pass over in a style: directions of two sides at once, places by direction, and gaps, which only grids had. */
const TOO_NEW =
  /(?:padding|margin)-(?:inline|block): [^;}]+|inset-inline-start: [^;}]+|(?<=display: flex;[^}]*)gap: [^;}]+/g;

async function showAsIn2018(page: Page): Promise<void> {
  await page.route('**/f/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(TOO_NEW, '') });
  });
  await page.reload();
}

/** The choices whose label leaves its cell, or whose text or button leaves its label. */
const MISPLACED = `[...document.querySelectorAll('.choice')].filter((cell) => {
  const within = (one, other, by = -1) => one.left >= other.left + by && one.right <= other.right - by;
  const boxOf = (one) => one.getBoundingClientRect();
  const [button, label] = cell.children;
  const text = document.createRange();
  text.selectNodeContents(label);
  return !within(boxOf(label), boxOf(cell)) || !within(boxOf(text), boxOf(label)) || !within(boxOf(button), boxOf(label), 4);
}).map((cell) => cell.textContent)`;

for (const language of ['en', 'ar']) {
  test(`on a phone of 2018 every choice stands in its own place in ${language}`, async () => {
    const fields = [
      { type: 'rating', name: 'pain', min: 0, max: 10 },
      { type: 'yes_no', name: 'pregnant' },
    ];
    const formId = await clinic.form([], { form_json: { fields, translations: { ar: { title: 'قبل زيارتك' } } } });
    const { page } = await clinic.open(`${formId}?language=${language}`, { viewport: { width: 320, height: 568 } });
    assert.deepEqual(await page.evaluate(MISPLACED), []);
    await showAsIn2018(page);
    assert.deepEqual(await page.evaluate(MISPLACED), []);
    await page.context().close();
  });
}

test('on a phone of 2018 buttons keep apart, beside and below each other', async () => {
  const pages = ['one', 'two'].map((name) => ({ fields: [{ type: 'text', name }] }));
  const formId = await clinic.form([], { form_json: { pages } });
  for (const width of [360, 320]) {
    const { page } = await clinic.open(formId, { viewport: { width, height: 640 } });
    await showAsIn2018(page);
    await press(page, 'next');
    await page.locator('.buttons [value=back]').waitFor();
    const [first, second] = await page
      .locator('.buttons > *')
      .evaluateAll((all) =>
        all
          .map((one) => one.getBoundingClientRect())
          .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
      );
    assert.ok(first !== undefined && second !== undefined);
    assert.ok(second.left - first.right >= 8 || second.top - first.bottom >= 8, JSON.stringify([first, second]));
    await findNoFault(page, `${width}`);
    await page.context().close();
  }
});
