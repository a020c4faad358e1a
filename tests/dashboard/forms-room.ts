import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import type { Role } from '../../src/platform/http/access.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, type Visit } from '../support/browser.ts';
import { addForm } from '../support/forms.ts';
import { type Ask, askAs } from './ask.ts';
import { enter } from './enter.ts';

/** A clinic with a form that people have filled in, and a browser in which somebody is signed in. */
export interface FormsRoom {
  app: TestApp;
  customer: TestCustomer;
  formId: string;
  /** In the order in which they came. */
  ids: string[];
  ask: Ask;
  enter(path: string, options?: BrowserContextOptions & { role?: Role }): Promise<Visit>;
}

const INTAKE = {
  fields: [
    { type: 'text', name: 'name', label: 'Full name', required: true },
    { type: 'email', name: 'email', label: 'Email address' },
    { type: 'radio', name: 'reason', label: 'Why are you coming?', options: ['Check-up', 'Follow-up'] },
    { type: 'file', name: 'card', label: 'Insurance card', max_size: 5_000_000 },
  ],
};
const PATIENTS = ['Ana Okafor', 'Marcus Lindqvist', 'Priya Ferreira', 'Tom Nguyen', 'Leila Haddad', 'Hugo Brandt'];

/** Opens it: everything is made by the API, as a customer's own software would. */
export async function openFormsRoom(t: TestContext): Promise<FormsRoom> {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const customer = await app.createCustomer();
  const recipient = 'desk@maple-clinic.example';
  const formId = await addForm(app, customer.id, { title: 'New patient intake', form_json: INTAKE, recipient });
  const ids: string[] = [];
  for (const [at, name] of PATIENTS.entries()) {
    const email = `${name.toLowerCase().replace(' ', '.')}@patients.example`;
    const attachments = [
      { name: 'card.txt', content: Buffer.from(`Card of ${name}`).toString('base64'), field: 'card' },
    ];
    const form_data = { name, email, reason: 'Check-up' };
    ids.push(await submitted(app, formId, { form_data, ...(at === 5 ? { attachments } : {}) }));
  }
  const browser = await openBrowser(t);
  return {
    app,
    customer,
    formId,
    ids,
    ask: askAs(app, customer, '/v1/forms/api/forms'),
    enter: (path, { role = 'owner', ...options } = {}) => enter(browser, { app, customer, role, path }, options),
  };
}
