import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import type { Role } from '../../src/platform/http/access.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, type Visit } from '../support/browser.ts';
import { type Ask, askAs } from './ask.ts';
import { enter } from './enter.ts';

/** A clinic, its key, and a browser in which somebody is signed in. */
export interface AudienceRoom {
  app: TestApp;
  customer: TestCustomer;
  ask: Ask;
  enter(path: string, options?: BrowserContextOptions & { role?: Role }): Promise<Visit>;
}

/** Opens it with nobody in it. */
export async function openAudienceRoom(t: TestContext): Promise<AudienceRoom> {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const browser = await openBrowser(t);
  return {
    app,
    customer,
    ask: askAs(app, customer, '/v1/marketing'),
    enter: (path, { role = 'editor', ...options } = {}) => enter(browser, { app, customer, role, path }, options),
  };
}

const FIRST_NAMES = ['Nora', 'Elias', 'Mira', 'Tobias', 'Ines', 'Hugo'];
const CITIES = ['Bonn', 'Kiel', 'Celle'];

/** Adds people who live in three cities and are of all ages from 20 on; answers the list that they are on. */
export async function addPatients(ask: Ask, count: number): Promise<string> {
  for (const field of [
    { name: 'City', kind: 'text', class: 'personal' },
    { name: 'Age', kind: 'number', class: 'personal' },
    { name: 'Diagnosis', kind: 'text', class: 'phi' },
  ]) {
    await ask('POST', '/subscriber_custom_field_types', field);
  }
  const { data: list } = await ask('POST', '/subscription_lists', {
    name: 'Newsletter',
    consent_text: 'I want news from the clinic.',
  });
  const subscribers = Array.from({ length: count }, (_none, at) => ({
    email: `patient-${at}@patients.example`,
    first_name: FIRST_NAMES[at % FIRST_NAMES.length],
    last_name: `Number ${at}`,
    custom_fields: [{ City: CITIES[at % CITIES.length] }, { Age: String(20 + at) }, { Diagnosis: 'Asthma' }],
  }));
  await ask('POST', '/subscribers_bulk_create', { subscribers, subscription_list_id: list.id });
  return list.id as string;
}
