import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { findNothingWrong } from '../e2e/axe.ts';
import { openMailingsRoom } from './mailings-room.ts';

/** Opens every page of mailings and reports, light and dark, and has axe look at each. */
export async function lookAtMailings(t: TestContext, viewport: { width: number; height: number }): Promise<void> {
  const { ask, list, write, enter } = await openMailingsRoom(t);
  const mailing = await write('Autumn newsletter');
  await ask('POST', '/campaign_mailing_sends', {
    campaign_mailing_id: mailing,
    campaign_mailing_send: { subscription_list_id: list },
  });
  const [{ id: send }] = (await ask('GET', '/campaign_mailing_sends')).data;
  const pages = pagesOf(mailing, send);
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await enter('/marketing/mailings', { colorScheme, viewport });
    for (const [path, isThere] of pages) {
      await page.goto(`${new URL(page.url()).origin}/app${path}`);
      await isThere(page);
      await findNothingWrong(page, `${path} ${colorScheme} ${viewport.width}`);
    }
  }
}

function pagesOf(mailing: string, send: string): [path: string, isThere: (page: Page) => Promise<void>][] {
  const root = `/marketing/mailings/${mailing}`;
  return [
    ['/marketing/mailings', (page) => page.getByRole('link', { name: 'Autumn newsletter' }).waitFor()],
    [
      root,
      async (page) => {
        await page.getByRole('button', { name: /^Edit Text/ }).click();
        await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
        await page.getByText('Nothing stands in the way.').waitFor();
      },
    ],
    [`${root}/send`, (page) => page.getByLabel('List', { exact: true }).waitFor()],
    [`${root}/sends`, region('Sends of this mailing')],
    [`/marketing/mailings/sends/${send}`, region('What became of each mail')],
    ['/marketing/reports', region('Sends with their rates')],
  ];
}

function region(name: string) {
  return (page: Page) => page.getByRole('region', { name }).waitFor();
}
