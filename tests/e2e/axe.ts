import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What depends on colours alone. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Asserts that axe finds nothing on a page as it stands now. */
export async function findNothingWrong(page: Page, state: string): Promise<void> {
  await look(page, state, EVERYTHING);
}

/** Asserts it of the colours, where all else on the page has been looked at in others. */
export async function findColoursReadable(page: Page, state: string): Promise<void> {
  await look(page, state, COLOURS);
}

async function look(page: Page, state: string, rules: string[]): Promise<void> {
  // What playwright evaluates is not held up by the policy of the page.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
  const found = await page.evaluate(`axe.run(${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join('\\n'))))`);
  assert.deepEqual(found, [], state);
}
