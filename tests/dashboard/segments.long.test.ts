import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { addPatients, openAudienceRoom } from './audience-room.ts';

test('a rule is written by choosing and in words, both ways, and tells why somebody fits', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  const list = await addPatients(ask, 30);
  await ask('POST', '/campaign_mailings', {
    campaign_mailing: { subject: 'Spring letter', html_part: '<p>Hello</p>' },
  });
  const { page, errors } = await enter('/marketing/segments');
  await page.getByText('No segments yet').waitFor();
  await page.getByRole('link', { name: 'New segment' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('To be called');
  const condition = (at: number) => page.getByRole('group', { name: 'Condition', exact: true }).nth(at);
  await condition(0).getByLabel('What is looked at').selectOption('On a list');
  await condition(0).getByRole('combobox', { name: 'List' }).selectOption('Newsletter');
  await page.getByText('30 people fit').waitFor();
  await page.getByRole('button', { name: 'Add condition' }).click();
  await condition(1).getByLabel('What is looked at').selectOption('Opened a mailing');
  await condition(1).getByLabel('How it is compared').selectOption('not in the last');
  await condition(1).getByLabel('Days').fill('90');
  await condition(1).getByLabel('Mailing').selectOption('Spring letter');
  await page.getByRole('button', { name: 'Add group' }).click();
  await condition(2).getByLabel('What is looked at').selectOption('City');
  await condition(2).getByLabel('How it is compared').selectOption('starts with');
  await condition(2).getByLabel('Value', { exact: true }).fill('bo');
  await page.getByRole('button', { name: 'Add condition' }).first().click();
  await condition(3).getByLabel('What is looked at').selectOption('Age');
  await condition(3).getByLabel('How it is compared').selectOption('is between');
  await condition(3).getByLabel('From').fill('45');
  await condition(3).getByLabel('To').fill('200');
  const { data: people } = await ask('GET', '/subscribers?items=100');
  const fits = people.filter(({ attributes }: { attributes: { last_name: string } }) => {
    const at = Number(attributes.last_name.split(' ')[1]);
    return at % 3 === 0 || 20 + at >= 45;
  });
  await page.getByText(`${fits.length} people fit`).waitFor();

  await page.getByRole('radio', { name: 'In words' }).check();
  const text = page.getByLabel('Rule in words');
  await text.waitFor();
  const written = await text.inputValue();
  assert.match(
    written,
    new RegExp(`^on list ${list} and not opened mailing \\d+ in the last 90 days and City starts with "bo" or `),
  );
  await text.fill('City is');
  await page.getByText(/At character 8: expects a value/).waitFor();
  await text.fill(`on list ${list} and (City is "Kiel" or Age is less than 22)`);
  const kiel = 10 + 1; // every third of thirty, and the youngest of the others
  await page.getByText(`${kiel} people fit`).waitFor();
  await page.getByRole('radio', { name: 'By choosing' }).check();
  await condition(1).waitFor();
  assert.equal(await condition(1).getByLabel('Value', { exact: true }).inputValue(), 'Kiel');
  assert.equal(
    await page.getByRole('group', { name: 'Group of conditions' }).nth(1).getByLabel('People must fit').inputValue(),
    'any',
  );
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('heading', { level: 1, name: 'To be called' }).waitFor();

  const why = page.getByRole('region', { name: 'Why is somebody in it, or not?' });
  await why.getByRole('button', { name: 'Choose a person' }).click();
  await page.getByRole('dialog').getByRole('searchbox').fill('patient-1@');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').click();
  await why.getByText(/is in this segment/).waitFor();
  assert.equal(await why.getByText('holds', { exact: true }).count(), 4, 'both alternatives fit');

  await page.getByRole('button', { name: 'Send a mailing' }).click();
  await page.getByRole('dialog').getByLabel('Mailing').selectOption('Spring letter');
  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('heading', { level: 1, name: 'Spring letter' }).waitFor();
  await page.getByText(`${kiel} people at this moment`).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'To be called' }).waitFor();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete segment' }).click();
  await page.getByText('No segments yet').waitFor();
  assert.deepEqual(
    errors,
    errors.filter((each) => each.includes('400')),
    'only the rule that made no sense was refused',
  );
});

test('a half-made segment is not left without a question, and who fits is looked at in a window beside it', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  const list = await addPatients(ask, 3);
  const { page, dialogs } = await enter('/marketing/segments/new');
  const name = page.getByLabel('Name', { exact: true });
  await page.getByRole('radio', { name: 'In words' }).check();
  await page.getByLabel('Rule in words').fill(`on list ${list}`);
  const [beside] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: /Number 0/ }).click(),
  ]);
  await beside.close();
  await page.getByRole('link', { name: 'Lists' }).first().click();
  await eventually(async () => dialogs.length === 1);
  assert.match(dialogs[0] ?? '', /changes that are not saved/);
  await name.fill('On the list');
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('heading', { level: 1, name: 'On the list' }).waitFor();

  await name.fill('Everybody');
  await page.getByRole('link', { name: 'Lists' }).first().click();
  await eventually(async () => dialogs.length === 2);
  assert.equal(await name.inputValue(), 'Everybody');
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('heading', { level: 1, name: 'Everybody' }).waitFor();
  await page.getByText('The segment is saved.').first().waitFor();
  await page.getByRole('link', { name: 'Lists' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Lists' }).waitFor();
  assert.equal(dialogs.length, 2, 'what is saved is left without a question');
});
