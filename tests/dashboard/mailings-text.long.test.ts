import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMailingsRoom } from './mailings-room.ts';

test('texts are formatted, fields of readers put in, and health data kept out of the open', async (t) => {
  const { ask, write, enter } = await openMailingsRoom(t);
  const id = await write('Autumn newsletter');
  const { page, errors } = await enter(`/marketing/mailings/${id}`);
  await page.getByRole('button', { name: /^Edit Text/ }).click();
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.press('ControlOrMeta+A');
  await text.pressSequentially('Please note: ');
  await page.getByRole('button', { name: 'Bold' }).click();
  await text.pressSequentially('bring your card');
  await page.getByRole('button', { name: 'Bold' }).click();
  await text.press('Enter');
  await page.getByRole('button', { name: 'Insert a field of the reader into Text' }).click();
  await page.getByRole('menuitem', { name: 'Diagnosis (health data)' }).click();
  await text.press('Enter');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await text.pressSequentially('one');
  await text.press('Enter');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByLabel('Address', { exact: true }).fill('https://maple.example/two');
  await page.getByRole('button', { name: 'Set link' }).click();
  await text.press('Tab');
  assert.notEqual(await page.locator(':focus').getAttribute('aria-label'), 'Text', 'Tab leaves the text');

  await page.getByRole('button', { name: 'Insert a field of the reader into Subject' }).click();
  const refused = page.getByRole('menuitem', { name: 'Diagnosis (health data, not here)' });
  assert.equal(await refused.getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('Escape');
  await page.getByLabel('Subject', { exact: true }).fill('About {{diagnosis}}');
  await page
    .getByText(/diagnosis is PHI, which would show before/)
    .first()
    .waitFor();
  await page.getByLabel('Subject', { exact: true }).fill('About your visit');

  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All changes are saved').waitFor();
  const { blocks } = (await ask('GET', `/campaign_mailings/${id}`)).data.attributes;
  assert.deepEqual(blocks[1].parts, [
    { type: 'paragraph', lines: [[{ text: 'Please note: ' }, { text: 'bring your card', bold: true }]] },
    { type: 'paragraph', lines: [[{ text: '{{diagnosis}}' }]] },
    {
      type: 'bullets',
      lines: [[{ text: 'one' }], [{ text: 'https://maple.example/two', link: 'https://maple.example/two' }]],
    },
  ]);
  assert.deepEqual(errors, []);
});
