import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, type Visit, visit } from '../support/browser.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';

type NewForm = Parameters<typeof addForm>[2];

/** A clinic with a form on its page, and patients who come by browser. */
export interface Clinic {
  app: TestApp;
  clock: MovableClock;
  customer: TestCustomer;
  browser: Browser;
  /** A form of these fields. */
  form(fields: object[], more?: NewForm): Promise<string>;
  open(formId: string, options?: BrowserContextOptions): Promise<Visit>;
  /** What was submitted, the oldest first, with the answers parsed. */
  submissions(formId: string): Promise<Reply['body'][]>;
}

export async function openClinic(t: TestContext): Promise<Clinic> {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const browser = await openBrowser(t);
  return {
    app,
    clock,
    customer,
    browser,
    form: (fields, more = {}) => addForm(app, customer.id, { form_json: { fields }, ...more }),
    open: (formId, options) => visit(browser, `${app.url}/f/${formId}`, options),
    async submissions(formId) {
      const { status, body, text } = await app.request('GET', `/v1/forms/api/forms/${formId}/submissions`, customer);
      assert.equal(status, 200, text);
      const parsed = body.data.map((each: { form_data: string }) => ({ ...each, answers: JSON.parse(each.form_data) }));
      return parsed.toReversed();
    },
  };
}

/** Presses the button that sends the form, and waits for the page that thanks. */
export async function sendForm({ page }: Visit): Promise<void> {
  await page.locator('.buttons [value=submit]').click();
  await page.waitForURL(/\/done/);
}
