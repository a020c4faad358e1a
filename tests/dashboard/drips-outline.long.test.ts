import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openDripRoom } from './drip-room.ts';

/** What has the focus, by its label or by what stands in it. */
const NAME_OF_FOCUS = `(({ activeElement: here }) =>
  here?.getAttribute('aria-label') ?? here?.labels?.[0]?.textContent ?? here?.textContent ?? '')(document)`;

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const fits = (label: string) => (typeof name === 'string' ? label === name : name.test(label));
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const label: string = await page.evaluate(NAME_OF_FOCUS);
    if (fits(label.replace(/\s+/g, ' ').trim())) return;
  }
  assert.fail(`Tab does not come to ${name}`);
}

/** Chooses from the menu that is open by typing the beginning of a name. */
async function choose(page: Page, kind: string): Promise<void> {
  await page.locator('[role=menu]:focus, [role=menu] :focus').waitFor();
  await page.keyboard.type(kind.slice(0, 4));
  await page.locator('[role=menuitem]:focus').filter({ hasText: kind }).waitFor();
  await page.keyboard.press('Enter');
}

test('a drip is built by the keyboard alone, in the outline', async (t) => {
  const { ask, list, enter } = await openDripRoom(t, { people: 0 });
  const made = await ask('POST', '/drip_campaigns', {
    drip_campaign: { name: 'By keyboard', subscription_list_id: list },
  });
  const id = made.data.id as string;
  const steps = async () => (await ask('GET', `/drip_campaigns/${id}`)).data.attributes.steps;
  const { page, errors } = await enter(`/marketing/drips/${id}?view=outline`);
  await page.getByRole('region', { name: 'The steps as a list' }).waitFor();
  await page.getByRole('button', { name: 'Add the first step: Steps' }).waitFor();

  await tabTo(page, 'Add the first step: Steps');
  await page.keyboard.press('Enter');
  await choose(page, 'Mail');
  await page.getByRole('heading', { level: 2, name: 'Mail' }).waitFor();
  await page.getByRole('option', { name: 'Second note' }).waitFor({ state: 'attached' });
  await tabTo(page, 'Mailing');
  await page.keyboard.type('Second');

  await page.locator('#outline-email-1').focus();
  await tabTo(page, /^Add a step after Mail: Second note$/);
  await page.keyboard.press('Enter');
  await choose(page, 'Delay');
  await page.getByRole('heading', { level: 2, name: 'Delay' }).waitFor();
  await tabTo(page, 'How long');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('5');

  // The delay goes up before the mail; an exit is added, taken away, put back and taken away again.
  await page.locator('#outline-delay-1').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await tabTo(page, /^Add a step after Delay: 5 days$/);
  await page.keyboard.press('Enter');
  await choose(page, 'Leave');
  await page.getByText('Nobody gets here').first().waitFor();
  await page.locator('#outline-exit-1').focus();
  await page.keyboard.press('Delete');
  await page.locator('#outline-exit-1').waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).press('Enter');
  await page.locator('#outline-exit-1').waitFor();
  await page.locator('#outline-exit-1').press('Delete');
  await page.locator('#outline-exit-1').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Save', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Saved.', { exact: true }).waitFor();
  const saved = await steps();
  assert.deepEqual(
    saved.map((step: { type: string; days?: number }) => [step.type, step.days]),
    [
      ['delay', 5],
      ['email', undefined],
    ],
  );

  await page.locator('#outline-delay-1').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('ControlOrMeta+Z');
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  assert.deepEqual(errors, []);
});
