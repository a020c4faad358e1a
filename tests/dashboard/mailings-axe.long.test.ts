import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findNothingWrong } from '../e2e/axe.ts';
import { openMailingsRoom } from './mailings-room.ts';

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

test('axe finds nothing wrong with mailings and reports, light and wide, dark and narrow', async (t) => {
  const { ask, list, write, enter } = await openMailingsRoom(t);
  const mailing = await write('Autumn newsletter');
  await ask('POST', '/campaign_mailing_sends', {
    campaign_mailing_id: mailing,
    campaign_mailing_send: { sender_email: 'news@maple.example', subscription_list_id: list },
  });
  const [{ id: send }] = (await ask('GET', '/campaign_mailing_sends')).data;
  for (const look of LOOKS) {
    const { page } = await enter('/marketing/mailings', look);
    for (const [path, isThere] of pagesOf(mailing, send)) {
      await page.goto(`${new URL(page.url()).origin}/app${path}`);
      await isThere(page);
      await findNothingWrong(page, `${path} ${look.colorScheme}`);
    }
  }
});

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
