import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNothingWrong } from '../e2e/axe.ts';
import { startApp } from '../support/app.ts';
import { openBrowser, visit } from '../support/browser.ts';
import { addList, addMail, addPerson, linkTo, standing } from './mailing.ts';

const PHONE = { viewport: { width: 320, height: 568 } };

test('the pages of consent are readable by everybody and do what they say', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const list = await addList(app, customer, { name: 'News' });
  const personId = await addPerson(app, customer, 'ann@example.com', list);
  const { mailId } = await addMail(app, customer, personId, { subscription_list_id: list });
  const browser = await openBrowser(t);

  const preferences = await visit(browser, await linkTo(app, 'preferences', personId), PHONE);
  await findNothingWrong(preferences.page, 'preferences');
  await preferences.page.getByRole('checkbox', { name: 'News' }).uncheck();
  await preferences.page.keyboard.press('Enter');
  await preferences.page.getByRole('checkbox', { name: 'News', checked: false }).waitFor();
  await findNothingWrong(preferences.page, 'preferences that were saved');
  assert.equal(await standing(app, customer, personId, list), 'left');

  await addPerson(app, customer, 'ann@example.com', list);
  const leaving = await visit(browser, await linkTo(app, 'mailing-unsubscribe', mailId), PHONE);
  await findNothingWrong(leaving.page, 'unsubscribing');
  await leaving.page.getByRole('button').first().click();
  await leaving.page.waitForLoadState();
  await findNothingWrong(leaving.page, 'unsubscribed');
  for (const { errors, dialogs } of [preferences, leaving]) assert.deepEqual([errors, dialogs], [[], []]);
});
