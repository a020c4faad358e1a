import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import type { Role } from '../../src/platform/http/access.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, type Visit } from '../support/browser.ts';
import { type Ask, askAs } from './ask.ts';
import { enter } from './enter.ts';

/** A clinic that writes to its patients, and a browser in which somebody is signed in. */
export interface MailingsRoom {
  app: TestApp;
  customer: TestCustomer;
  ask: Ask;
  /** A list with everybody on it, and a segment of those at patients.example. */
  list: string;
  segment: string;
  /** Writes a mailing of blocks; answers its id. */
  write(name: string, fields?: object): Promise<string>;
  enter(path: string, options?: BrowserContextOptions & { role?: Role }): Promise<Visit>;
}

const FIRST_NAMES = ['Ada', 'Bilal', 'Carmen', 'Dora', 'Emeka', 'Freya', 'Goran', 'Hana'];
const LAST_NAMES = ['Abel', 'Berg', 'Costa', 'Diaz', 'Evans', 'Fuchs', 'Grant'];
const AT_ONCE = 1_000;

const BLOCKS = [
  { type: 'heading', text: 'Autumn at Maple Street' },
  {
    type: 'rich_text',
    parts: [
      { type: 'paragraph', lines: [[{ text: 'Hello {{first_name default="there"}},' }]] },
      {
        type: 'paragraph',
        lines: [[{ text: 'the flu vaccine has arrived. ' }, { text: 'Read more', link: 'https://maple.example/flu' }]],
      },
    ],
  },
  { type: 'button', label: 'Book an appointment', url: 'https://maple.example/book' },
  { type: 'footer', text: 'Maple Street Clinic\n12 Maple Street', unsubscribe: 'Unsubscribe' },
];

/** Opens it: everything is made by the API, as a customer's own software would. */
export async function openMailingsRoom(t: TestContext, { people = 24 } = {}): Promise<MailingsRoom> {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const ask = askAs(app, customer, '/v1/marketing');
  await ask('POST', '/subscriber_custom_field_types', { name: 'Next visit', kind: 'date' });
  await ask('POST', '/subscriber_custom_field_types', { name: 'Diagnosis', class: 'phi' });
  const list = (await ask('POST', '/subscription_lists', { name: 'All patients' })).data.id as string;
  const subscribers = Array.from({ length: people }, (_, at) => ({
    email: `patient-${at}@patients.example`,
    first_name: FIRST_NAMES[at % FIRST_NAMES.length],
    last_name: LAST_NAMES[at % LAST_NAMES.length],
  }));
  for (let at = 0; at < people; at += AT_ONCE) {
    const part = subscribers.slice(at, at + AT_ONCE);
    await ask('POST', '/subscribers_bulk_create', { subscribers: part, subscription_list_id: list });
  }
  const filters = [[{ field: 'email', op: 'ends_with', terms: ['patients.example'] }]];
  const segment = (await ask('POST', '/dynamic_lists', { name: 'Reachable patients', filters })).data.id as string;
  const browser = await openBrowser(t);
  return {
    app,
    customer,
    ask,
    list,
    segment,
    async write(name, fields = {}) {
      const content = {
        template_type: 'blocks',
        blocks: BLOCKS,
        default_subject: 'Your check-up',
        preheader: 'Book now',
      };
      const from = 'Maple Street Clinic <news@maple.example>';
      const campaign_mailing = { subject: name, from, ...content, ...fields };
      return (await ask('POST', '/campaign_mailings', { campaign_mailing })).data.id as string;
    },
    enter: (path, { role = 'editor', ...options } = {}) => enter(browser, { app, customer, role, path }, options),
  };
}
