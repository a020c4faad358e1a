import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, type TestContext, test } from 'node:test';
import { addForm } from '../support/forms.ts';
import { type FormsRoom, openFormsRoom } from './forms-room.ts';

let room: FormsRoom;
before(async (t) => {
  room = await openFormsRoom(t as TestContext);
});

test('a form is looked over before it is published, and taken off again', async () => {
  const { app, customer, ask, enter } = room;
  const form_json = { fields: [{ type: 'radio', name: 'severity', label: 'How bad is it?', options: [] }] };
  const id = await addForm(app, customer.id, { title: 'Allergies', form_json, active: false });
  const { page } = await enter(`/forms/${id}`);
  await page.getByRole('region', { name: 'Before it is published' }).getByText('offers nothing to choose').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish with things to mend?' });
  await dialog.getByText('offers nothing to choose').waitFor();
  await dialog.getByRole('button', { name: 'Publish as it is' }).click();
  await page.getByText('The form is published.').waitFor();
  assert.equal((await ask('GET', `/${id}`)).data.active, true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Publish' }).waitFor();
  assert.equal((await ask('GET', `/${id}`)).data.active, false);

  await page.getByRole('link', { name: 'All forms' }).first().click();
  await page.getByLabel('Find a form').fill('allerg');
  await page.getByRole('row', { name: /New patient intake/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'What to do with Allergies' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('“Allergies” is archived.').waitFor();
  await page.getByRole('heading', { name: 'No form fits' }).waitFor();
  await page.getByLabel('Show').selectOption('Archived');
  await page.getByRole('link', { name: 'Allergies' }).waitFor();
});

test('a form that was archived by mistake is open again, as it was', async () => {
  const { app, customer, ask, enter } = room;
  const form_json = { fields: [{ type: 'text', name: 'a' }] };
  const id = await addForm(app, customer.id, { title: 'Travel', form_json, active: true });
  const { page } = await enter('/forms/all');
  await page.getByRole('button', { name: 'What to do with Travel' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  // The row that began it is gone by then.
  await page.getByRole('link', { name: 'Travel' }).waitFor({ state: 'detached' });
  assert.equal((await ask('GET', `/${id}`)).data.active, false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row', { name: /Travel.*Published/ }).waitFor();
  assert.equal((await ask('GET', `/${id}`)).data.active, true);
});

test('a form is shared by an address of its own, a QR code and links for one person each', async () => {
  const { app, formId, enter, ask } = room;
  const { page } = await enter(`/forms/${formId}/share`);
  const address = page.getByLabel('Short address');
  await address.fill('admin');
  await address.press('Enter');
  await page.getByText('is reserved').waitFor();
  await address.fill('maple-intake');
  await address.press('Enter');
  await page.getByText('The address is saved.').waitFor();
  assert.equal((await fetch(`${app.url}/f/maple-intake`)).status, 200);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as SVG' }).click(),
  ]);
  assert.match(readFileSync(await download.path(), 'utf8'), /^<svg/);

  await page.getByRole('button', { name: 'Make links' }).click();
  await page.getByLabel('How many').fill('2');
  await page.getByRole('button', { name: 'Make', exact: true }).click();
  const links = (await page.getByLabel('All links', { exact: true }).textContent()) ?? '';
  assert.equal(links.split('\n').length, 2);
  await page.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Take back' }).first().click();
  await page.getByText('The link leads nowhere any more.').waitFor();
  assert.equal((await ask('GET', `/${formId}/links`)).total, 1);

  await page.getByLabel('Sites that may show it').fill('clinic.example');
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await page.getByText('takes an origin such as https://clinic.example').waitFor();
  await page.getByLabel('Sites that may show it').fill('https://clinic.example');
  await page.getByLabel('Most submissions').fill('200');
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await page.getByText('Saved.').waitFor();
  const saved = await ask('GET', `/${formId}/page`);
  assert.deepEqual([saved.frame_origins, saved.most_submissions], [['https://clinic.example'], 200]);
});

test('versions are told apart in words, and submissions are kept for as long as is said', async () => {
  const { formId, enter, ask } = room;
  const { data } = await ask('GET', `/${formId}`);
  const [first, ...rest] = data.form_json.fields;
  await ask('PUT', `/${formId}`, { form_json: { fields: [{ ...first, label: 'Your full name' }, ...rest] } });
  const { page } = await enter(`/forms/${formId}/versions`);
  const changes = page.getByRole('region', { name: 'What changed' });
  await changes.getByText('The question "Full name" reads "Your full name" now.').waitFor();

  await page.getByRole('link', { name: 'Retention' }).first().click();
  await page.getByLabel('For a number of days').check();
  await page.getByLabel('Days', { exact: true }).fill('3650');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('older than 3,650 days').waitFor();
  await page.getByRole('button', { name: 'Keep them shorter' }).click();
  await page.getByText('Saved. It holds from the next hour on.').waitFor();
  assert.equal((await ask('GET', `/${formId}/retention`)).retention_days, 3650);
});

test('a reader finds forms and no submissions', async () => {
  const { formId, enter } = room;
  const { page } = await enter(`/forms/${formId}`, { role: 'reader' });
  await page.getByText('Submissions a day').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Submissions', exact: true }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Archive' }).count(), 0);
});
