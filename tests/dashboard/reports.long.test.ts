import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { openMailingsRoom } from './mailings-room.ts';

test('reports say what became of everything, hide small counts on request and go into a file', async (t) => {
  const { ask, list, segment, write, enter } = await openMailingsRoom(t, { people: 24 });
  const mailing = await write('Autumn newsletter');
  const begin = (send: object) =>
    ask('POST', '/campaign_mailing_sends', {
      campaign_mailing_id: mailing,
      campaign_mailing_send: { sender_email: 'news@maple.example', ...send },
    });
  await begin({ subscription_list_id: list });
  await begin({ dynamic_list_id: segment });
  await begin({ recipient_emails: ['patient-1@patients.example', 'patient-2@patients.example'] });
  await eventually(async () =>
    (await ask('GET', '/campaign_mailing_sends')).data.every(
      ({ attributes }: { attributes: { state: string } }) => attributes.state === 'finished',
    ),
  );
  const { page, errors } = await enter('/marketing/reports', { role: 'editor' });
  const totals = page.getByRole('region', { name: 'In this period' });
  await totals.getByText('50').first().waitFor();
  await page.getByRole('img', { name: 'Mails by day. Delivered: 50; Refused: 0.' }).waitFor();
  const sends = page.getByRole('region', { name: 'Sends with their rates' });
  await sends.getByText('Reachable patients').waitFor();
  await sends.getByRole('button', { name: 'Sent', exact: true }).click();
  await eventually(async () => ((await sends.getByRole('row').nth(1).textContent()) ?? '').includes('Some addresses'));
  assert.match((await sends.getByRole('row').nth(1).textContent()) ?? '', /Some addresses.*2100 %/);

  await page.getByLabel('Hide counts from 1 to 10').check();
  await sends.getByText('hidden').waitFor();
  assert.match(page.url(), /hide=true/);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV: Sends with their rates' }).click();
  const file = await saving;
  assert.equal(file.suggestedFilename(), 'campaign_mailing_sends_table.csv');
  const rows = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  assert.equal(rows.length, 4);
  assert.equal(rows.filter((row) => row.includes('true')).length, 1, 'small counts are hidden in the file too');

  await page.getByLabel('Mails', { exact: true }).selectOption('Drip campaigns');
  await page.getByText('Nothing happened in this period').waitFor();
  await page.getByText('Nothing was sent in this period').waitFor();
  await page.getByLabel('Mails', { exact: true }).selectOption('Mailings');
  await sends.getByRole('link', { name: 'Autumn newsletter' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Send of “Autumn newsletter”' }).waitFor();
  assert.deepEqual(errors, []);
});
