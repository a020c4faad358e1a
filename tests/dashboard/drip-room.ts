import type { TestContext } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '../../src/platform/http/access.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, type Visit } from '../support/browser.ts';
import { type Ask, askAs } from './ask.ts';
import { enter } from './enter.ts';

/** A clinic with a list of people and two mailings, and a browser in which somebody is signed in. */
export interface DripRoom {
  app: TestApp;
  customer: TestCustomer;
  ask: Ask;
  list: string;
  mailings: [welcome: string, reminder: string];
  enter(path: string, options?: BrowserContextOptions & { role?: Role }): Promise<Visit>;
}

const FIRST_NAMES = ['Ann', 'Bilal', 'Carmen', 'Dora', 'Emeka', 'Freya'];

/** Opens it: everything is made by the API, as a customer's own software would. */
export async function openDripRoom(t: TestContext, { people = 12 } = {}): Promise<DripRoom> {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const ask = askAs(app, customer, '/v1/marketing');
  const list = (await ask('POST', '/subscription_lists', { name: 'New patients' })).data.id as string;
  for (let at = 0; at < people; at += 1) {
    const first_name = FIRST_NAMES[at % FIRST_NAMES.length];
    const subscriber = { email: `patient-${at}@patients.example`, first_name, time_zone: 'Europe/Paris' };
    await ask('POST', '/subscribers', { subscriber, subscription_list_id: list });
  }
  const write = async (subject: string, text: string) => {
    const from = 'Maple Street Clinic <desk@maple-clinic.example>';
    const campaign_mailing = { subject, default_subject: text, from, html_part: `<p>${text}</p>` };
    return (await ask('POST', '/campaign_mailings', { campaign_mailing })).data.id as string;
  };
  const mailings: DripRoom['mailings'] = [
    await write('Parking and opening hours', 'How to find us'),
    await write('Second note', 'We are here for you'),
  ];
  // Whoever asks first waits until the dashboard is built.
  await app.request('GET', '/app/');
  const browser = await openBrowser(t);
  return {
    app,
    customer,
    ask,
    list,
    mailings,
    enter: (path, { role = 'editor', ...options } = {}) => enter(browser, { app, customer, role, path }, options),
  };
}

/** Chooses a kind of step behind a plus. */
export async function addStep(
  page: Page,
  plus: string | RegExp,
  kind: string,
  which: 'first' | 'last' = 'first',
): Promise<void> {
  await page.getByRole('button', { name: plus })[which]().click();
  await page.getByRole('menuitem', { name: kind, exact: true }).click();
}
