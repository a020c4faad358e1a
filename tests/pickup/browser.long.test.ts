import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { foreignOrigins, openBrowser, visit } from '../support/browser.ts';
import { lastCode, openOffice } from './visitor.ts';

const PHONE = { viewport: { width: 320, height: 568 } };

test('a patient with a phone and a keyboard reads a message by its code and replies', async (t) => {
  const office = await openOffice(t);
  const customer = await office.app.createCustomer();
  const address = 'bea@example.com';
  const { path } = await office.leave(customer, {
    recipients: [address],
    headers: { from: 'Dr. Who <clinic@example.org>', subject: 'Your results' },
    content: { 'text/plain': 'All is well.', 'text/html': '<p>All is <b>well</b>.</p>' },
    attachments: [{ fileName: 'results.txt', content: Buffer.from('fine').toString('base64') }],
  });
  const seen = await visit(await openBrowser(t), `${office.app.url}${path}`, PHONE);
  const { page } = seen;
  const look = async (state: string) => {
    await findNothingWrong(page, state);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok((overflow as number) <= 0, `${state}: nothing stands beyond the edge`);
  };
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      const text = await page.evaluate(
        '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
      );
      if ((text as string).startsWith(name)) return;
    }
    assert.fail(`no way to ${name} by the keyboard`);
  };

  await look('the entrance');
  office.clock.advance(1_000);
  await tabTo('Send me a code');
  await page.keyboard.press('Enter');
  const field = page.locator('input[autocomplete="one-time-code"]');
  await field.waitFor();
  await look('the code is asked for');
  await field.fill('00000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await look('a wrong code');
  await field.fill(await lastCode(office, customer, address));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Your results' }).waitFor();
  await look('the message');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /results.txt/ }).click(),
  ]);
  assert.equal(file.suggestedFilename(), 'results.txt');
  await page.getByRole('textbox').fill('Thank you');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/replied$/);
  await look('the reply has been sent');
  assert.deepEqual(foreignOrigins(seen, office.app.url), []);
});
