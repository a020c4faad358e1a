import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { addPatients, openAudienceRoom } from './audience-room.ts';

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

test('axe finds nothing wrong with a selection, the question before deleting and the columns of a file', async (t) => {
  const { app, ask, enter } = await openAudienceRoom(t);
  await addPatients(ask, 20);
  for (const look of LOOKS) {
    const { page, errors } = await enter('/marketing/lists', look);
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
