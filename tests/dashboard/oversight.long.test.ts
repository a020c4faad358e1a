import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
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

test('who sets whom to tell over what another owner has set since sees both, and loses neither', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const browser = await openBrowser(t);
  const visiting = { app, customer, role: 'owner', path: '/settings/emergency' } as const;
  const { page, person, errors } = await enter(browser, visiting);
  const set = (security_contact: string) =>
    person.request('PUT', '/app/api/oversight', { body: { security_contact, review_days: 30, review_due_days: 7 } });
  const contactNow = async () => (await person.request('GET', '/app/api/oversight')).body.security_contact;
  const contact = page.getByLabel('Security contact');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await contact.fill('mine@clinic.example');
  assert.equal((await set('theirs@clinic.example')).status, 200);
  await save.click();
  await page.getByText('Somebody else has saved this meanwhile').waitFor();
  await findNothingWrong(page, 'the notice of whom to tell');
  assert.equal(await contactNow(), 'theirs@clinic.example');
  await page.getByRole('button', { name: 'Show theirs' }).click();
  assert.equal(await contact.inputValue(), 'theirs@clinic.example');
  await page.getByRole('button', { name: 'Go back to mine' }).click();
  await save.click();
  await page.getByText('Saved.').waitFor();
  assert.equal(await contactNow(), 'mine@clinic.example');
  assert.deepEqual(
    errors.filter((text) => !text.includes('409')),
    [],
  );
  await page.context().close();
});

test('a review is signed, and an incident opened and kept', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  await addOversight(app, { id: customer.id, mark: 'A key was lost' });
  const browser = await openBrowser(t);
  const { page, errors, dialogs } = await enter(browser, { app, customer, role: 'admin', path: '/settings/reviews' });
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByText('Nothing unusual was found.').waitFor();
  await page.getByLabel('Notes').fill('Seen, nothing to do.');
  await page.getByRole('link', { name: 'All reviews' }).click();
  assert.equal(await page.getByLabel('Notes').inputValue(), 'Seen, nothing to do.', 'nobody leaves it unasked');
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
  await page.getByRole('link', { name: 'All incidents' }).click();
  assert.equal(await page.getByLabel('New entry').inputValue(), 'It was wiped from afar', 'nobody leaves it unasked');
  await page.getByLabel('State').selectOption('contained');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'wiped from afar' }).getByText('Contained').waitFor();
  assert.deepEqual([errors, dialogs.length], [[], 2]);
  await page.context().close();
});
