import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOffice } from './email-visit.ts';

test('a second campaign begins as the first did, with mails of its own, and a button that is pressed twice makes one', async (t) => {
  const { app, open, ask } = await openOffice(t);
  const { page } = await open('/marketing/drips/new');
  for (const name of ['For children', 'For parents']) {
    await page.goto(`${app.url}/app/marketing/drips/new`);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create the draft' }).evaluate((button: { click(): void }) => {
      button.click();
      button.click();
    });
    await page.waitForURL(/\/drips\/\d+$/);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  }
  const { body: drips } = await ask('GET', '/v1/marketing/drip_campaigns');
  assert.equal(drips.data.length, 2);
  const { body: mailings } = await ask('GET', '/v1/marketing/campaign_mailings');
  const names = mailings.data.map(({ attributes }: { attributes: { subject: string } }) => attributes.subject);
  assert.deepEqual(names.toSorted().slice(0, 2), ['Welcome 1: hello', 'Welcome 1: hello (2)']);
  assert.equal(names.length, 6);
});
