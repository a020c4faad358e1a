import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { enter } from './enter.ts';

const MINUTE = 60_000;

test('a page that nobody works on blanks itself, and work in one window keeps the others open', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { page } = await enter(await openBrowser(t), { app, customer, role: 'owner', path: '/settings/team' });
  const context = page.context();
  await context.clock.install();
  const other = await context.newPage();
  for (const window of [page, other]) {
    await window.goto(`${app.url}/app/settings/team`);
    await window.getByRole('heading', { level: 1 }).waitFor();
  }
  const isOpen = (window: typeof page) => window.getByRole('navigation', { name: 'Rooms' }).count();

  await context.clock.runFor(14 * MINUTE);
  assert.equal(await isOpen(page), 1);
  await page.keyboard.press('Shift');
  await context.clock.runFor(14 * MINUTE);
  assert.deepEqual([await isOpen(page), await isOpen(other)], [1, 1], 'one was worked in');
  await context.clock.runFor(2 * MINUTE);
  for (const window of [page, other]) {
    await window.getByRole('heading', { name: 'Sign in' }).waitFor();
    await window.getByText('nothing happened for a while').waitFor();
    assert.equal(await isOpen(window), 0);
  }
});

test('whoever signs out in one window is signed out in all, and nothing stays in sight', async (t) => {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const { page } = await enter(await openBrowser(t), { app, customer, role: 'owner', path: '/settings/team' });
  const other = await page.context().newPage();
  await other.goto(`${app.url}/app/settings/team`);
  await other.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  await page.getByRole('complementary', { name: 'Carepost' }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await other.getByRole('heading', { level: 1, name: 'Team' }).count(), 0);
});
