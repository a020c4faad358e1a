import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import { type MailingsRoom, openMailingsRoom } from './mailings-room.ts';

/** Sends a mailing to everybody and waits until it is over; answers the id of the send. */
async function sendToAll({ ask, list }: MailingsRoom, mailing: string): Promise<string> {
  await ask('POST', '/campaign_mailing_sends', {
    campaign_mailing_id: mailing,
    campaign_mailing_send: { sender_email: 'news@maple.example', subscription_list_id: list },
  });
  const [{ id }] = (await ask('GET', '/campaign_mailing_sends')).data;
  await eventually(
    async () => (await ask('GET', `/campaign_mailing_sends/${id}`)).data.attributes.state === 'finished',
  );
  return id;
}

/** Follows the first link of the mail that somebody got. */
async function follow({ app, customer }: MailingsRoom, to: string): Promise<void> {
  const { body } = await app.request('GET', `/v1/email/sandbox/messages?to=${to}`, { key: customer.key });
  const link = /href="http[^"]*(\/t\/[\w-]+)"/.exec(body.data[0].html)?.[1] as string;
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36' };
  assert.equal((await fetch(app.url + link, { redirect: 'manual', headers: browser })).status, 302);
}

test('what became of a send is told person by person, with the reason, and by link', async (t) => {
  const room = await openMailingsRoom(t);
  const { app, customer, ask, write, enter } = room;
  const people = (await ask('GET', '/subscribers?items=100')).data as { id: string; attributes: { email: string } }[];
  const gone = people.find(({ attributes: { email } }) => email === 'patient-2@patients.example');
  await app.request('POST', '/v1/email/suppressions', {
    key: customer.key,
    body: { address: 'patient-3@patients.example', reason: 'manual' },
  });
  await ask('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [gone?.id] });
  await eventually(async () => (await ask('GET', `/subscribers/${gone?.id}`)).data.attributes.unsubscribed === true);
  const id = await sendToAll(room, await write('Autumn newsletter'));
  await follow(room, 'patient-5@patients.example');

  const { page, errors } = await enter(`/marketing/mailings/sends/${id}`);
  const ledger = page.getByRole('region', { name: 'What became of each mail' });
  await page.getByLabel('State').selectOption('excluded');
  await ledger.getByText('patient-2@patients.example').waitFor();
  await eventually(async () => (await ledger.getByRole('row').count()) === 2);
  await page.getByRole('button', { name: 'Why? Carmen Costa' }).click();
  await page.getByRole('dialog').getByText('The person has opted out of everything.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('State').selectOption('suppressed');
  await page.getByRole('button', { name: 'Why? Dora Diaz' }).click();
  await page.getByRole('dialog').getByText('The address was suppressed by hand.').waitFor();
  const evidence = page.getByRole('dialog').getByRole('button', { name: 'Download evidence' });
  assert.equal(await evidence.count(), 0, 'nothing was tried');
  await page.keyboard.press('Escape');
  assert.match(page.url(), /state=suppressed/);
  await page.getByLabel('State').selectOption('');
  await page.getByLabel('Name or address').fill('patient-5@patients.example');
  await page.getByRole('button', { name: 'Find' }).click();
  await eventually(async () => (await ledger.getByRole('row').count()) === 2);
  assert.ok(!page.url().includes('patient'), 'nobody stands in the address');
  await ledger.getByRole('button', { name: /^Why\?/ }).click();
  await evidence.waitFor();
  await page.keyboard.press('Escape');

  const links = page.getByRole('region', { name: 'Where the links of this send lead' });
  await links.getByText('https://maple.example/flu').waitFor();
  await page.getByRole('button', { name: 'Who followed https://maple.example/flu' }).click();
  await page.getByRole('dialog').getByText('patient-5@patients.example').waitFor();
  await page.keyboard.press('Escape');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV: What became of each mail' }).click();
  assert.equal((await saving).suggestedFilename(), 'campaign_mailing_deliveries_table.csv');

  await page.getByRole('link', { name: 'Back to the mailing' }).click();
  await page.getByRole('button', { name: 'Choose a person' }).click();
  await page.getByLabel('Name or address').fill('patient-3@patients.example');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'Choose Dora Diaz' }).click();
  await page.getByText('The address was suppressed by hand.').waitFor();
  assert.deepEqual(errors, []);
});

test('a send is scheduled with its time zone said, and cancelled before anybody gets it', async (t) => {
  const { ask, write, enter } = await openMailingsRoom(t);
  const mailing = await write('Autumn newsletter');
  const { page, errors } = await enter(`/marketing/mailings/${mailing}/send`, { timezoneId: 'America/Chicago' });
  await page.getByLabel('Some addresses').check();
  await page.getByLabel('Addresses', { exact: true }).fill('patient-1@patients.example\npatient-4');
  await page.getByLabel('At a time').check();
  await page.getByLabel('Date and time').fill('2020-07-01T09:30');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Number 2 is not an email address.').waitFor();
  await page.getByText('This time has passed.').waitFor();
  await page
    .getByLabel('Addresses', { exact: true })
    .fill('patient-1@patients.example\nDora <patient-4@patients.example>');
  await page.getByText('Number 2 is not an email address.').waitFor({ state: 'detached' });
  await page.getByText('2 people at this moment').waitFor();
  await page.getByText('By the clock of this computer (America/Chicago).').waitFor();
  await page.getByText('This time has passed.').waitFor();
  await page.getByLabel('Date and time').fill('2099-07-01T09:30');
  await page.getByText('This time has passed.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Jul 1, 2099, 9:30 AM').waitFor();
  assert.ok(!page.url().includes('patient'));
  await page.getByRole('button', { name: 'Schedule for 2 people' }).click();
  await page.getByText('Scheduled', { exact: true }).waitFor();
  const [{ attributes }] = (await ask('GET', '/campaign_mailing_sends')).data;
  assert.equal(attributes.send_at, '2099-07-01T14:30:00.000Z');
  await page.getByRole('button', { name: 'Cancel send' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel send' }).click();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  assert.deepEqual(errors, []);
});

test('somebody decides about mails of which nobody knows whether they arrived', async (t) => {
  const room = await openMailingsRoom(t);
  const { app, ask, write, enter } = room;
  const id = await sendToAll(room, await write('Autumn newsletter'));
  await withConnection(app.installation.ownerUrl, async (client) => {
    const mails = `update mailing_recipients set state = 'uncertain', rule = 'uncertain' where id in
      (select id from mailing_recipients where send_id = $1 limit 2)`;
    await client.query(mails, [id]);
    await client.query('update send_counts set uncertain = 2, delivered = delivered - 2 where send_id = $1', [id]);
    await client.query(`update campaign_mailing_sends set state = 'needs_decision', finished_at = null where id = $1`, [
      id,
    ]);
  });
  const { page, errors } = await enter(`/marketing/mailings/sends/${id}`);
  await page.getByText('Of 2 mails nobody knows whether they arrived').waitFor();
  await page.getByRole('button', { name: 'Take them for sent' }).click();
  await page.getByText('It was decided.').waitFor();
  await page.getByText('Of 2 mails nobody knows').waitFor({ state: 'detached' });
  const { attributes } = (await ask('GET', `/campaign_mailing_sends/${id}`)).data;
  assert.deepEqual([attributes.uncertain, attributes.sent - attributes.delivered], [0, 2]);
  assert.deepEqual(errors, []);
});
