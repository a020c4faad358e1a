import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { openAudienceRoom } from './audience-room.ts';

const PEOPLE = 10_000;
const CITIES = ['Bonn', 'Kiel', 'Celle', 'Lübeck'];

/** A file as another program saves it: semicolons, its own names of columns, and a few rows that cannot be taken. */
function fileOfPeople(): Buffer {
  const rows = Array.from({ length: PEOPLE }, (_none, at) => {
    const name = at % 7 === 0 ? '"Okoye; Ada"' : `Patient ${at}`;
    return `person${at}@patients.example;${name};${CITIES[at % CITIES.length]};${20 + (at % 60)};old ${at}`;
  });
  rows.splice(5, 0, 'no address;Nobody;Bonn;30;x', 'also@none@example;Nobody;Bonn;30;x');
  return Buffer.from(['E-Mail;Vorname;City;Age;Old number', ...rows].join('\r\n'));
}

test('10,000 people are imported by a dry run and its start, and a segment finds some of them', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  await ask('POST', '/subscriber_custom_field_types', { name: 'Age', kind: 'number', class: 'personal' });
  await ask('POST', '/subscription_lists', { name: 'Newsletter' });
  const { page, errors } = await enter('/marketing/imports');
  await page.getByText('No imports yet').waitFor();
  await page.getByRole('link', { name: 'Import a file' }).first().click();

  await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: fileOfPeople() });
  const taken = (column: string) => page.getByLabel(`What ${column} is taken for`);
  assert.equal(await taken('E-Mail').inputValue(), 'email');
  assert.equal(await taken('Vorname').inputValue(), 'first_name');
  assert.equal(await taken('Age').inputValue(), 'Age');
  assert.ok(await page.getByText('Okoye; Ada').first().isVisible(), 'the first rows are shown as they will be read');
  await taken('Vorname').selectOption('email');
  await page.getByText('Two columns are taken for Email').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Start the dry run' }).isDisabled());
  await taken('Vorname').selectOption('first_name');
  await taken('Old number').selectOption('Leave it out');
  await page.getByLabel('Put everybody on this list too').selectOption('Newsletter');
  await page.getByRole('button', { name: 'Start the dry run' }).click();

  const figure = (name: string) => page.locator('dl div', { hasText: name }).locator('dd');
  await page.getByRole('button', { name: 'Import these people' }).waitFor({ timeout: 30_000 });
  assert.equal(await figure('New people').innerText(), '10,000');
  assert.equal(await figure('Rows not taken').innerText(), '2');
  assert.deepEqual(
    await page.getByRole('region', { name: 'Rejected rows' }).locator('tbody tr td:first-child').allInnerTexts(),
    ['7', '8'],
  );
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'All of them as CSV' }).click(),
  ]);
  assert.match(await readFile(await csv.path(), 'utf8'), /^7,/m);
  assert.equal((await ask('GET', '/subscribers?items=1')).total_count, 0, 'a dry run changes nothing');

  await page.getByRole('button', { name: 'Import these people' }).click();
  await page.getByRole('button', { name: 'Undo this import' }).waitFor({ timeout: 60_000 });
  assert.equal(await figure('New people').innerText(), '10,000');
  await page.getByRole('link', { name: 'See the subscribers' }).click();
  await page.getByText('10,000 people').waitFor();

  await page.getByRole('link', { name: 'Segments' }).click();
  await page.getByRole('link', { name: 'New segment' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Older people in Bonn or Kiel');
  const condition = (at: number) => page.getByRole('group', { name: 'Condition', exact: true }).nth(at);
  await condition(0).getByLabel('What is looked at').selectOption('Age');
  await condition(0).getByLabel('How it is compared').selectOption('is at least');
  await condition(0).getByLabel('Value', { exact: true }).fill('50');
  await page.getByText('4,990 people fit').waitFor();
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByText('Complete every condition').waitFor();
  await condition(1).getByLabel('What is looked at').selectOption('City');
  await condition(1).getByLabel('How it is compared').selectOption('is');
  await condition(1).getByLabel('Value', { exact: true }).fill('bonn');
  await condition(1).getByRole('button', { name: 'or another' }).click();
  await condition(1).getByLabel('Value', { exact: true }).nth(1).fill('Kiel');
  const { total_count: wanted } = await ask(
    'GET',
    `/subscribers?items=1&filters=${encodeURIComponent(
      JSON.stringify([
        [
          { field: 'Age', op: 'at_least', terms: ['50'] },
          { field: 'City', op: 'is', terms: ['Bonn', 'Kiel'] },
        ],
      ]),
    )}`,
  );
  assert.ok(wanted > 0 && wanted < 4_990);
  await page.getByText(`${wanted.toLocaleString('en')} people fit`).waitFor();
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('heading', { level: 1, name: 'Older people in Bonn or Kiel' }).waitFor();
  await page.getByRole('link', { name: 'See the people' }).click();
  await page.getByText(`${wanted.toLocaleString('en')} people`, { exact: true }).waitFor();
  assert.deepEqual(errors, []);
});

test('an import is found again and undone, and a file that is none is refused', async (t) => {
  const { app, ask, customer, enter } = await openAudienceRoom(t);
  await app.request('POST', '/v1/marketing/imports', {
    key: customer.key,
    headers: { 'content-type': 'text/csv' },
    raw: 'email,first_name\nann@patients.example,Ann\nben@patients.example,Ben\n',
  });
  const { page } = await enter('/marketing/imports');
  await page.getByRole('table', { name: 'Imports' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  assert.equal(await page.locator('dl div', { hasText: 'Removed again' }).locator('dd').innerText(), '2');
  assert.equal((await ask('GET', '/subscribers?items=1')).total_count, 0);
  await page.getByRole('link', { name: 'All imports' }).click();
  await page.getByRole('link', { name: 'Import a file' }).first().click();
  const choose = (text: string) =>
    page.getByLabel('CSV file').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('\n\n');
  await page.getByText('no row that can be read').waitFor();
  await choose('name,city\nAnn,Bonn\n');
  await page.getByText('One column must hold email addresses or phone numbers.').waitFor();
  await choose('ann@patients.example\tAnn\n');
  await page.getByLabel('What Column 1 is taken for').waitFor();
  assert.equal(await page.getByLabel('Between the columns stands a').inputValue(), '\t');
  assert.equal(await page.getByLabel('The first row has the names of the columns').isChecked(), false);
});

test('a file that takes a while to send shows how far it has come', async (t) => {
  const { enter } = await openAudienceRoom(t);
  const { page, errors } = await enter('/marketing/imports/new');
  const slow = await page.context().newCDPSession(page);
  const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
  await slow.send('Network.emulateNetworkConditions', speed);
  await page.getByLabel('CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.concat([fileOfPeople(), fileOfPeople()]),
  });
  await page.getByRole('button', { name: 'Start the dry run' }).click();
  const bar = page.getByRole('progressbar', { name: 'Sending the file' });
  await eventually(async () => {
    const share = Number(await bar.getAttribute('aria-valuenow'));
    return share > 0 && share < 100;
  });
  await slow.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 });
  await page.getByRole('button', { name: 'Import these people' }).waitFor({ timeout: 60_000 });
  assert.deepEqual(errors, []);
});
