import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { addPatients, openAudienceRoom } from './audience-room.ts';

const emails = (page: Page) =>
  page.getByRole('table', { name: 'Subscribers' }).getByRole('row').getByRole('link').allInnerTexts();

test('people are searched, sorted and narrowed, and nothing of them stands in an address', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  const list = await addPatients(ask, 30);
  await ask('POST', '/subscribers', { subscriber: { email: 'alone@patients.example', first_name: 'Zoe' } });
  const { page, requests, errors } = await enter('/marketing/subscribers');
  await page.getByText('31 people').waitFor();
  await page.getByLabel('Search name, address or phone').fill('zoe');
  await page.getByText('1 person', { exact: true }).waitFor();
  assert.deepEqual(await emails(page), ['alone@patients.example']);
  await page.getByLabel('Search name, address or phone').fill('');
  await page.getByText('31 people').waitFor();
  await page.getByRole('button', { name: 'Email' }).click();
  await page.getByRole('columnheader', { name: 'Email' }).and(page.locator('[aria-sort=ascending]')).waitFor();
  await page.getByRole('link', { name: 'alone@patients.example' }).waitFor();
  assert.equal((await emails(page))[0], 'alone@patients.example');
  await page.getByLabel('List', { exact: true }).selectOption('Newsletter');
  await page.getByText('30 people').waitFor();
  assert.equal(new URL(page.url()).search, `?list=${list}`);
  await page.getByRole('button', { name: 'More filters' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What is looked at').selectOption('Email address');
  await dialog.getByLabel('How it is compared').selectOption('ends with');
  await dialog.getByLabel('Value', { exact: true }).fill('-7@patients.example');
  await dialog.getByRole('button', { name: 'Show these people' }).click();
  await page.getByText('1 person', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('30 people').waitFor();
  const told = requests.map(({ url }) => decodeURIComponent(url)).filter((url) => /zoe|patients\.example/i.test(url));
  assert.deepEqual(told, []);
  assert.deepEqual(errors, []);
});

test('a search is there again after one of its results was looked at, and gone after another room was', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  await addPatients(ask, 3);
  await ask('POST', '/subscribers', { subscriber: { email: 'alone@patients.example', first_name: 'Zoe' } });
  const { page, errors } = await enter('/marketing/subscribers');
  const search = page.getByLabel('Search name, address or phone');
  await search.fill('zoe');
  await page.getByText('1 person', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'alone@patients.example' }).click();
  await page.getByRole('heading', { name: /alone@patients\.example|Zoe/, level: 1 }).waitFor();
  await page.goBack();
  await page.getByText('1 person', { exact: true }).waitFor();
  assert.equal(await search.inputValue(), 'zoe');
  await page.getByRole('navigation').getByRole('link', { name: 'Segments' }).click();
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Subscribers' }).click();
  await page.getByText('4 people').waitFor();
  assert.equal(await search.inputValue(), '');
  assert.deepEqual(errors, []);
});

test('those who are selected are put on a list, opted out and deleted; everybody who matches too', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  await addPatients(ask, 12);
  const { data: course } = await ask('POST', '/subscription_lists', { name: 'Course' });
  const on = async () => (await ask('GET', `/subscription_lists/${course.id}`)).data.attributes.subscriber_count;
  const { page, errors } = await enter('/marketing/subscribers');
  const boxes = page.getByRole('checkbox', { name: 'Select this row' });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByText('2 people selected').waitFor();
  await page.getByRole('button', { name: 'Put on a list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('List').selectOption('Course');
  await dialog.getByRole('button', { name: 'Put on the list' }).click();
  await page.getByText('Done.').waitFor();
  assert.equal(await on(), 2);

  await boxes.nth(0).check();
  await page.getByRole('button', { name: 'Select all 12 that match' }).click();
  await page.getByText('All 12 that match are selected').waitFor();
  await page.getByRole('button', { name: 'Put on a list' }).click();
  await dialog.getByLabel('List').selectOption('Course');
  await dialog.getByRole('button', { name: 'Put on the list' }).click();
  await page.getByText('This goes on in the background.').waitFor();
  await page.getByRole('link', { name: 'Exports and jobs' }).click();
  await page.getByRole('row', { name: /Put on lists.*Done/ }).waitFor();
  assert.equal(await on(), 12);

  await page.getByRole('link', { name: 'People', exact: true }).click();
  await boxes.nth(0).check();
  await page.getByRole('button', { name: 'Opt out of everything' }).click();
  await dialog.getByRole('button', { name: 'Opt them out' }).click();
  await page.getByRole('cell', { name: 'Opted out' }).waitFor();
  await boxes.nth(0).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Remembered: that somebody opted out').waitFor();
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('11 people', { exact: true }).waitFor();
  assert.deepEqual(errors, []);
});

test('whoever adds somebody who has opted out is told that nothing goes to them', async (t) => {
  const { ask, enter } = await openAudienceRoom(t);
  await addPatients(ask, 1);
  const { data } = await ask('POST', '/subscribers', { subscriber: { email: 'ann@patients.example' } });
  await ask('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [data.id] });
  const { page, errors } = await enter('/marketing/subscribers');
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('ann@patients.example');
  await dialog.getByLabel('Put on this list too').selectOption('Newsletter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('They have opted out of everything, so no mailing goes to them.').waitFor();
  await page.getByRole('link', { name: 'ann@patients.example' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Newsletter' }).getByText('on it, but gets nothing').waitFor();
  assert.deepEqual(errors, []);
});
