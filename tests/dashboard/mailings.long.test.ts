import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { openMailingsRoom } from './mailings-room.ts';

const PEOPLE = 2_000;

test('a mailing is written, sent to a segment, paused, resumed and watched until it is finished', async (t) => {
  const { ask, app, customer, enter } = await openMailingsRoom(t, { people: PEOPLE });
  const { page, errors } = await enter('/marketing/mailings');
  await page.getByText('Write a mailing, send yourself a test').waitFor();
  await page.getByRole('button', { name: 'New mailing' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Autumn newsletter');
  await page.getByRole('button', { name: 'Create' }).click();

  await page.getByRole('heading', { level: 1, name: 'Autumn newsletter' }).waitFor();
  await page.getByLabel('Subject', { exact: true }).fill('Your autumn check-up, ');
  await page.getByRole('button', { name: 'Insert a field of the reader into Subject' }).click();
  await page.getByRole('menuitem', { name: 'First name' }).click();
  await page.getByLabel('Preview text').fill('Book before the holidays');
  await page.getByLabel('From, name').fill('Maple Street Clinic');
  await page.getByLabel('From, address').fill('news@maple.example');
  await page.getByRole('button', { name: /^Edit Heading/ }).click();
  await page.getByLabel('Text', { exact: true }).fill('Autumn at Maple Street');
  const mail = page.frameLocator('iframe[title="Preview"]');
  await mail.getByRole('heading', { name: 'Autumn at Maple Street' }).waitFor();
  await mail.getByText('Hello Alex,').waitFor();
  await page.getByRole('region', { name: 'Preview' }).getByText('Your autumn check-up, Alex').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All changes are saved').waitFor();

  await page.getByRole('link', { name: 'Send', exact: true }).click();
  await page.getByLabel('A segment').check();
  await page.getByLabel('Segment', { exact: true }).selectOption({ label: 'Reachable patients' });
  await page.getByText('2,000 people at this moment').waitFor();
  await page.getByLabel('At most so many mails in a second').fill('250');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Segment “Reachable patients”').waitFor();
  await page.getByText('At most 250 in a second').waitFor();
  await page.getByRole('button', { name: 'Send to 2,000 people now' }).click();

  await page.getByRole('heading', { level: 1, name: 'Send of “Autumn newsletter”' }).waitFor();
  const progress = page.getByRole('progressbar');
  const share = async () => Number(await progress.getAttribute('aria-valuenow'));
  await eventually(async () => (await share()) > 0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  const [{ attributes: listed }] = (await ask('GET', '/campaign_mailings')).data;
  const [{ id, attributes: resting }] = (await ask('GET', '/campaign_mailing_sends')).data;
  assert.equal(resting.state, 'paused');
  assert.deepEqual(listed.latest_send, { id, state: 'paused', send_at: resting.send_at });
  assert.ok(resting.delivered < PEOPLE, 'it rests on the way');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Finished', { exact: true }).first().waitFor({ timeout: 120_000 });
  assert.equal(await share(), 100);
  await page.getByText('2,000 / 2,000').waitFor();
  await page.getByRole('link', { name: 'Mailings', exact: true }).first().click();
  const row = page.getByRole('row', { name: /Autumn newsletter/ });
  await row.getByRole('link', { name: /^Finished/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Send of “Autumn newsletter”' }).waitFor();

  const { attributes } = (await ask('GET', `/campaign_mailing_sends/${id}`)).data;
  assert.deepEqual([attributes.state, attributes.people, attributes.delivered], ['finished', PEOPLE, PEOPLE]);
  const { body } = await app.request('GET', '/v1/email/sandbox/messages?to=patient-7@patients.example', {
    key: customer.key,
  });
  assert.deepEqual([body.data.length, body.data[0].subject], [1, 'Your autumn check-up, Hana']);
  assert.match(body.data[0].html, /Autumn at Maple Street/);
  assert.deepEqual(errors, []);
});
