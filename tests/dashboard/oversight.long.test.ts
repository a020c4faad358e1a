import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submitted } from '../submissions/submitting.ts';
import { startApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { addForm } from '../support/forms.ts';
import { addOversight } from '../support/oversight.ts';
import { enter } from './enter.ts';

test('an operator asks, an owner approves, the operator reads and leaves, and both see that it is open', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const formId = await addForm(app, customer.id, { form_json: {}, title: 'Intake' });
  await submitted(app, formId, { form_data: { email: 'ann@patients.example' } });
  const browser = await openBrowser(t);
  const { page: operator } = await enter(browser, {
    app,
    customer: null,
    role: 'operator',
    path: '/operator/emergency',
  });
  await operator.getByRole('button', { name: 'Ask for access' }).click();
  const dialog = operator.getByRole('dialog');
  await dialog.getByLabel('Customer').selectOption({ index: 1 });
  await dialog.getByLabel('Reason').fill('The clinic cannot sign in and asks for one record');
  await dialog.getByRole('button', { name: 'Ask for access' }).click();
  await operator.getByText('It is asked for.').waitFor();

  const phone = { viewport: { width: 360, height: 740 } };
  const decides = { app, customer, role: 'owner', path: '/settings/emergency' } as const;
  const { page: owner } = await enter(browser, decides, phone);
  await owner.getByText('cannot sign in and asks').waitFor();
  await owner.getByRole('button', { name: 'Approve' }).click();
  await owner.getByText(/Emergency access is open until/).waitFor();

  await operator.getByRole('button', { name: 'Read', exact: true }).click();
  await operator.getByText(/^Emergency access to .* until/).waitFor();
  await operator.goto(`${app.url}/app/forms/${formId}/submissions`);
  await operator.getByText('ann@patients.example').first().waitFor();
  await operator.getByRole('button', { name: 'Leave' }).click();
  await operator.getByRole('heading', { name: 'Emergency access', level: 1 }).waitFor();
  await operator.getByText(/^Emergency access to .* until/).waitFor({ state: 'detached' });

  await owner.getByRole('button', { name: 'End it now' }).click();
  await owner.getByText(/Emergency access is open until/).waitFor({ state: 'detached' });
  await owner.goto(`${app.url}/app/settings/audit`);
  await owner.getByRole('button', { name: 'Details of Break glass: request' }).first().waitFor();
  await Promise.all([operator.context().close(), owner.context().close()]);
});

test('a review is signed, and an incident opened and kept', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  await addOversight(app, { id: customer.id, mark: 'A key was lost' });
  const browser = await openBrowser(t);
  const { page, errors } = await enter(browser, { app, customer, role: 'admin', path: '/settings/reviews' });
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByText('Nothing unusual was found.').waitFor();
  await page.getByLabel('Notes').fill('Seen, nothing to do.');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByText('The review is signed.').waitFor();
  await page.getByText('Seen, nothing to do.').waitFor();

  await page.goto(`${app.url}/app/settings/incidents`);
  await page.getByRole('button', { name: 'Open an incident' }).click();
  await page.getByLabel('What happened').fill('A laptop was stolen');
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('The incident is open.').waitFor();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByLabel('New entry').fill('It was wiped from afar');
  await page.getByLabel('State').selectOption('contained');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'wiped from afar' }).getByText('Contained').waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});
