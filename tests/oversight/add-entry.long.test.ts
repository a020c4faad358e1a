import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter } from '../dashboard/enter.ts';
import { startApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { addOversight } from '../support/oversight.ts';
import { signIn } from '../support/people-session.ts';

test('a note leaves an incident where somebody else has taken it meanwhile', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { incidentId } = await addOversight(app, { id: customer.id, mark: 'A key was lost' });
  const path = `/settings/incidents/${incidentId}`;
  const { page } = await enter(await openBrowser(t), { app, customer, role: 'admin', path });
  await page.getByLabel('New entry').fill('The vendor was called');
  const owner = await signIn(app, customer, 'owner');
  const entries = `/app/api/incidents/${incidentId}/entries`;
  const contained = await owner.request('POST', entries, { body: { text: 'Key revoked', state: 'contained' } });
  assert.equal(contained.body.state, 'contained');

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'The vendor was called' }).getByText('Contained').waitFor();
  assert.equal(await page.getByLabel('State').inputValue(), 'contained', 'the form has learned of it');
  await page.getByLabel('New entry').fill('Everybody was told');
  await page.getByLabel('State').selectOption('closed');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'Everybody was told' }).getByText('Closed').waitFor();
  await page.context().close();
});
