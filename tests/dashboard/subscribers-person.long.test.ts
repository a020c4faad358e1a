import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { addPatients, openAudienceRoom } from './audience-room.ts';

test('somebody is added and changed, and their story is told', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  await addPatients(ask, 1);
  const { page, errors } = await enter('/marketing/subscribers');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('First name').fill('Ada');
  await dialog.getByLabel('Email').fill('not an address');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Is not a valid address').waitFor();
  await dialog.getByLabel('Email').fill('ada@patients.example');
  await dialog.getByLabel('Diagnosis').fill('Asthma');
  await dialog.getByLabel('Put on this list too').selectOption('Newsletter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'ada@patients.example' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
  await page.getByText('health data').waitFor();
  await page.getByText('Joined Newsletter').waitFor();
  await page.getByText('I want news from the clinic.').waitFor();

  await page.getByRole('button', { name: 'Take off Newsletter' }).click();
  await page.getByText('Left Newsletter').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Take off Newsletter' }).waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Last name').fill('Okoye');
  await dialog.getByLabel('Age').fill('41');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada Okoye' }).waitFor();
  const { data } = await ask('GET', `/subscribers/${page.url().split('/').at(-1)}`);
  const values = data.attributes.custom_fields.map((field: Record<string, string>) => field.custom_field_value);
  assert.deepEqual(values.toSorted(), ['41', 'Asthma']);
  assert.deepEqual(
    errors.filter((each) => !each.includes('422')),
    [],
    'only what was no address is refused',
  );
});

test('people are exported, and the file is found again', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  await addPatients(ask, 3);
  const { page } = await enter('/marketing/subscribers');
  await page.getByLabel('Search name, address or phone').fill('patient-2');
  await page.getByText('1 person', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Start the export' }).click();
  await page.getByText('The export has started.').waitFor();
  await page.getByRole('link', { name: 'Exports and jobs' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  assert.match(text, /patient-2@patients\.example/);
  assert.doesNotMatch(text, /patient-1@/);
});

test('a field with health data says what that means, and cannot be looked for', async (t) => {
  const { enter } = await openAudienceRoom(t);
  const { page } = await enter('/marketing/subscribers/fields');
  await page.getByText('No custom fields yet').waitFor();
  for (const [name, given] of [
    ['Diagnosis', 'Health data'],
    ['City', 'Personal'],
  ] as const) {
    await page.getByRole('button', { name: 'New field' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('radio', { name: new RegExp(`^${given}`) }).check();
    await dialog.getByText('It is kept sealed').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: new RegExp(`${name}.*${given}`) }).waitFor();
  }
  await page.getByRole('link', { name: 'Segments' }).click();
  await page.getByRole('link', { name: 'New segment' }).first().click();
  await page.getByRole('option', { name: 'City' }).waitFor({ state: 'attached' });
  assert.equal(await page.getByRole('option', { name: 'Diagnosis', includeHidden: true }).count(), 0);
});

test('readers find lists and segments, and no people', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  await addPatients(ask, 2);
  const { page } = await enter('/marketing/lists', { role: 'reader' });
  await page.getByRole('link', { name: 'Newsletter' }).click();
  await page.getByRole('heading', { name: 'Growth' }).waitFor();
  assert.equal(await page.getByText('patient-1@patients.example').count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Subscribers' }).count(), 0);
  await page.goto(new URL('/app/marketing/subscribers', page.url()).href);
  await page.getByText('Your role does not allow this').waitFor();
});
