import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { openOffice } from './email-visit.ts';

test('a reader who types the address of a page for others is told so, and offered nothing that would be refused', async (t) => {
  const { app, customer, open, ask } = await openOffice(t, 'reader');
  const seen = await open('/');
  const { page } = seen;
  for (const path of [
    '/email/messages/new',
    '/email/suppressions',
    '/marketing/imports/new',
    '/marketing/segments/new',
    '/settings/keys',
    '/settings/audit',
    '/settings/clinic',
    '/operator/health',
  ]) {
    await page.goto(`${app.url}/app${path}`);
    await page.getByRole('heading', { name: 'This page is not for your role', level: 1 }).waitFor();
    assert.deepEqual(await page.getByRole('main').getByRole('button').count(), 0, path);
    assert.equal(await page.getByRole('main').getByRole('textbox').count(), 0, path);
  }
  await findNothingWrong(page, 'not for a reader');
  assert.deepEqual(seen.errors, [], 'nothing was asked for that is refused');
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();

  const form = { customer_id: customer.id, title: 'Visit', form_json: { fields: [{ type: 'text', name: 'name' }] } };
  const { body } = await ask('POST', '/v1/forms/api/forms', form);
  await page.goto(`${app.url}/app/forms/${body.id}/submissions`);
  await page.getByText('This is not allowed').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'it would be refused for ever');
});
