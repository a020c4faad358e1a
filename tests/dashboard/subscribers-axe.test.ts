import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { addPatients, openAudienceRoom } from './audience-room.ts';

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

test('axe finds nothing wrong with people, lists, segments and imports, light and dark, wide and narrow', async (t) => {
  const { app, customer, ask, enter } = await openAudienceRoom(t);
  const list = await addPatients(ask, 20);
  const rule = 'Age is at least 25 and (City is "Bonn" or not opened any mailing in the last 30 days)';
  const { data: segment } = await ask('POST', '/dynamic_lists', { name: 'To be called', rule });
  const { data: people } = await ask('GET', '/subscribers?items=1');
  const made = await app.request('POST', '/v1/marketing/imports', {
    key: customer.key,
    headers: { 'content-type': 'text/csv' },
    raw: 'email,first_name\nann@patients.example,Ann\nnone,Ben\n',
  });
  const PLACES: [path: string, ready: string | RegExp][] = [
    ['/subscribers', 'patient-3@patients.example'],
    [`/subscribers/${people[0].id}`, /Joined|imported/],
    ['/subscribers/fields', 'Diagnosis'],
    ['/subscribers/jobs', /Nothing has been exported/],
    ['/lists', 'Newsletter'],
    [`/lists/${list}`, /joined, 0 left/],
    ['/segments', 'To be called'],
    [`/segments/${segment.id}`, /people fit/],
    ['/segments/new', 'Complete every condition to see who fits.'],
    ['/imports', 'Done'],
    ['/imports/new', 'CSV file'],
    [`/imports/${made.body.data.id}`, 'Rows that were not taken'],
  ];
  for (const look of LOOKS) {
    const { page, errors } = await enter('/marketing/lists', look);
    for (const [path, ready] of PLACES) {
      await page.goto(`${app.url}/app/marketing${path}`);
      await page.getByText(ready).first().waitFor();
      await findNothingWrong(page, `${path}, ${look.colorScheme}`);
      const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      assert.equal(await page.evaluate(isTooWide), false, `${path} scrolls sideways at ${look.viewport.width} px`);
    }
    await page.goto(`${app.url}/app/marketing/subscribers`);
    await page.getByRole('checkbox', { name: 'Select this row' }).first().check();
    await findNothingWrong(page, `a selection, ${look.colorScheme}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    await findNothingWrong(page, `the question before deleting, ${look.colorScheme}`);
    await page.goto(`${app.url}/app/marketing/imports/new`);
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('email,City\na@b.example,Bonn\n') });
    await page.getByRole('columnheader', { name: 'Is taken for' }).waitFor();
    await findNothingWrong(page, `the columns of a file, ${look.colorScheme}`);
    assert.deepEqual(errors, []);
  }
});
