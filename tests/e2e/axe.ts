import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LOOK = `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join('\\n'))))`;

/** Asserts that axe finds nothing on a page as it stands now. */
export async function findNothingWrong(page: Page, state: string): Promise<void> {
  // What playwright evaluates is not held up by the policy of the page.
  await page.evaluate(AXE);
  assert.deepEqual(await page.evaluate(LOOK), [], state);
}
