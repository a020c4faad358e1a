import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { openMailingsRoom } from './mailings-room.ts';

/** The kinds of the blocks of the mail, from the top. */
async function kindsOn(page: Page): Promise<string[]> {
  const handles = page
    .getByRole('list', { name: 'Blocks of the mail' })
    .getByRole('button', { name: /^Move .*, block/ });
  const names = await handles.evaluateAll((found) => found.map((each) => each.getAttribute('aria-label') ?? ''));
  return names.map((name) => /^Move (.*), block/.exec(name)?.[1] ?? '');
}

const kindsAre = (page: Page, wanted: string[]) =>
  eventually(async () => JSON.stringify(await kindsOn(page)) === JSON.stringify(wanted));

test('blocks are added, moved by mouse and by keyboard, taken away and brought back', async (t) => {
  const { ask, write, enter } = await openMailingsRoom(t);
  const id = await write('Autumn newsletter');
  const { page, errors } = await enter(`/marketing/mailings/${id}`);
  await kindsAre(page, ['Heading', 'Text', 'Button', 'Footer']);

  await page.getByRole('button', { name: 'Add a block' }).click();
  await page.getByRole('menuitem', { name: 'Two columns' }).click();
  await kindsAre(page, ['Heading', 'Text', 'Button', 'Two columns', 'Text', 'Text', 'Footer']);
  const handle = (kind: string) => page.getByRole('button', { name: new RegExp(`^Move ${kind}, block`) }).first();
  await handle('Two columns').press('ArrowUp');
  await page.getByText('Two columns is now block 3 of 5.').waitFor({ state: 'attached' });
  await handle('Two columns').press('ArrowDown');
  await kindsAre(page, ['Heading', 'Text', 'Button', 'Two columns', 'Text', 'Text', 'Footer']);
  assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^Move Two columns/);

  await handle('Button').dragTo(page.getByRole('button', { name: /^Edit Heading/ }), {
    targetPosition: { x: 40, y: 2 },
  });
  await kindsAre(page, ['Button', 'Heading', 'Text', 'Two columns', 'Text', 'Text', 'Footer']);
  await handle('Button').dragTo(
    page.getByRole('list', { name: 'Column 2' }).getByRole('button', { name: /^Edit Text/ }),
  );
  const second = page.getByRole('list', { name: 'Column 2' });
  await second.getByRole('button', { name: /^Edit Button/ }).waitFor();

  await page.getByRole('button', { name: 'More for Heading' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  assert.ok(!(await kindsOn(page)).includes('Heading'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: /^Edit Heading/ }).click();
  await page.getByLabel('Text', { exact: true }).fill('Changed');
  await page.keyboard.press('ControlOrMeta+Z');
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Autumn at Maple Street');
  await page.keyboard.press('ControlOrMeta+Shift+Z');
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Changed');

  await page.keyboard.press('ControlOrMeta+S');
  await page.getByText('All changes are saved').waitFor();
  const { blocks } = (await ask('GET', `/campaign_mailings/${id}`)).data.attributes;
  assert.deepEqual(
    blocks.map((block: { type: string }) => block.type),
    ['heading', 'rich_text', 'columns', 'footer'],
  );
  assert.equal(blocks[0].text, 'Changed');
  assert.deepEqual(blocks[2].columns[1].map((block: { type: string }) => block.type).toSorted(), [
    'button',
    'rich_text',
  ]);
  assert.deepEqual(errors, []);
});

test('HTML is written by hand, looked at as one person gets it, and tried out; changes are not lost by mistake', async (t) => {
  const { app, customer, ask, write, enter } = await openMailingsRoom(t);
  const id = await write('By hand', { template_type: 'html', blocks: null, html_part: '<p>Hello {{first_name}}</p>' });
  const { page, errors, dialogs } = await enter(`/marketing/mailings/${id}`);
  const source = page.getByRole('textbox', { name: 'HTML' });
  await source.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('<p>{{nickname}}</p>');
  await page.getByText('Nobody has a field called nickname, so it stays empty.').waitFor();
  await page.getByRole('button', { name: 'Show for a person' }).click();
  await page.getByLabel('Name or address').fill('patient-3@patients.example');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'Choose Dora Diaz' }).click();
  await page.frameLocator('iframe[title="Preview"]').getByText('Hello Dora').waitFor();
  assert.ok(!page.url().includes('patient'));

  await page.getByRole('link', { name: 'Sends', exact: true }).click();
  await eventually(async () => dialogs.length > 0);
  await page.getByRole('heading', { level: 2, name: 'HTML' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All changes are saved').waitFor();
  assert.match((await ask('GET', `/campaign_mailings/${id}`)).data.attributes.html_part, /nickname/);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByLabel('Address', { exact: true }).fill('desk@maple.example');
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The test is on its way.').waitFor();
  await eventually(async () => {
    const path = '/v1/email/sandbox/messages?to=desk@maple.example';
    return (await app.request('GET', path, { key: customer.key })).body.data[0]?.subject === '[Test] Your check-up';
  });
  assert.deepEqual(errors, []);
});

test('mailings are found, duplicated and deleted; a reader looks and changes nothing', async (t) => {
  const { write, ask, enter } = await openMailingsRoom(t);
  const id = await write('Autumn newsletter');
  await write('Opening hours');
  const { page, errors } = await enter('/marketing/mailings');
  await page.getByRole('link', { name: 'Opening hours' }).waitFor();
  await page.getByLabel('Search by name').fill('autumn');
  await page.getByRole('link', { name: 'Opening hours' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More for Autumn newsletter' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { level: 1, name: /^Autumn newsletter \(copy/ }).waitFor();
  await page.getByRole('link', { name: 'Mailings', exact: true }).first().click();
  await page.getByRole('button', { name: 'More for Opening hours' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The mailing was deleted.').waitFor();
  const names = (await ask('GET', '/campaign_mailings')).data.map(
    (each: { attributes: { subject: string } }) => each.attributes.subject,
  );
  assert.equal(names.length, 2);
  assert.ok(!names.includes('Opening hours'));
  assert.deepEqual(errors, []);

  const reading = await enter(`/marketing/mailings/${id}`, { role: 'reader' });
  await reading.page.getByText('the flu vaccine has arrived.').waitFor();
  await reading.page.getByText('your role does not let you change it').waitFor();
  assert.equal(await reading.page.getByRole('button', { name: 'Save' }).count(), 0);
  assert.equal(await reading.page.getByRole('link', { name: 'Send', exact: true }).count(), 0);
  assert.deepEqual(reading.errors, []);
});
