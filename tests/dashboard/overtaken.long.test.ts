import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { findNothingWrong } from '../e2e/axe.ts';
import { eventually } from '../support/eventually.ts';
import { openOffice } from './email-visit.ts';

const OVERTAKEN = 'Somebody else has saved this meanwhile';

let office: Awaited<ReturnType<typeof openOffice>>;
before(async (t) => {
  office = await openOffice(t as TestContext, 'admin');
});

const ask = async (method: string, path: string, body?: object) => (await office.ask(method, path, body)).body;

interface Edited {
  /** Makes one, and answers its path below the API and that of its page. */
  make(): Promise<{ api: string; page: string }>;
  /** Leads to where it is written. */
  reach?(page: Page): Promise<void>;
  /** The field in which both write. */
  label: string;
  save: string;
  method?: 'PATCH' | 'PUT';
  /** What somebody else saves. */
  change(text: string): object;
  /** What is stored of it. */
  told(body: Awaited<ReturnType<typeof ask>>): string;
}

const marketing = (path: string) => `/v1/marketing${path}`;
const opened = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

const EDITED: Record<string, Edited> = {
  template: {
    async make() {
      const { id } = await ask('POST', '/v1/email/dynamic_templates', { name: 'Reminder', body: '<p>Come.</p>' });
      return { api: `/v1/email/dynamic_templates/${id}`, page: `/email/templates/${id}` };
    },
    label: 'Subject',
    save: 'Save as a new version',
    change: (text) => ({ subject: text }),
    told: ({ subject }) => subject,
  },
  webhook: {
    async make() {
      const wish = { target_url: 'https://clinic.example/events', events: ['api_mail_log_delivered'] };
      const { data } = await ask('POST', '/v1/webhooks/endpoints', wish);
      return { api: `/v1/webhooks/endpoints/${data.id}`, page: `/email/webhooks/${data.id}` };
    },
    reach: opened('Edit'),
    label: 'Address',
    save: 'Save',
    change: (text) => ({ target_url: text }),
    told: ({ data }) => data.target_url,
  },
  mailing: {
    async make() {
      const { data } = await ask('POST', marketing('/campaign_mailings'), {
        campaign_mailing: { subject: 'Flu shots', html_part: '<p>Come by.</p>' },
      });
      return { api: marketing(`/campaign_mailings/${data.id}`), page: `/marketing/mailings/${data.id}` };
    },
    label: 'Subject',
    save: 'Save',
    change: (text) => ({ campaign_mailing: { default_subject: text } }),
    told: ({ data }) => data.attributes.default_subject,
  },
  segment: {
    async make() {
      const filters = [[{ field: 'email', op: 'contains', terms: ['a'] }]];
      const { data } = await ask('POST', marketing('/dynamic_lists'), { name: 'Some', filters });
      return { api: marketing(`/dynamic_lists/${data.id}`), page: `/marketing/segments/${data.id}` };
    },
    label: 'Name',
    save: 'Save segment',
    change: (text) => ({ name: text }),
    told: ({ data }) => data.attributes.name,
  },
  list: {
    async make() {
      const { data } = await ask('POST', marketing('/subscription_lists'), { name: 'Newsletter' });
      return { api: marketing(`/subscription_lists/${data.id}`), page: `/marketing/lists/${data.id}` };
    },
    reach: opened('Change'),
    label: 'Name',
    save: 'Save',
    change: (text) => ({ name: text }),
    told: ({ data }) => data.attributes.name,
  },
  person: {
    async make() {
      const { data } = await ask('POST', marketing('/subscribers'), { subscriber: { email: 'ann@patients.example' } });
      return { api: marketing(`/subscribers/${data.id}`), page: `/marketing/subscribers/${data.id}` };
    },
    reach: opened('Change'),
    label: 'First name',
    save: 'Save',
    change: (text) => ({ subscriber: { first_name: text } }),
    told: ({ data }) => data.attributes.first_name,
  },
  'page of a form': {
    async make() {
      const wish = { title: 'Intake', form_json: { fields: [] }, customer_id: office.customer.id };
      const { id } = await ask('POST', '/v1/forms/api/forms', wish);
      return { api: `/v1/forms/api/forms/${id}/page`, page: `/forms/${id}/share` };
    },
    label: 'Sites that may show it',
    save: 'Save',
    method: 'PUT',
    change: (text) => ({ frame_origins: [text] }),
    told: ({ frame_origins }) => frame_origins[0],
  },
};

const TEXTS = ['https://theirs.example', 'https://mine.example', 'https://theirs-again.example'] as const;

for (const [name, { make, reach, label, save, method = 'PATCH', change, told }] of Object.entries(EDITED)) {
  test(`who saves a ${name} that somebody else has saved meanwhile sees both, and loses neither`, async () => {
    const [theirs, mine, again] = TEXTS;
    const place = await make();
    const { page, errors } = await office.open(place.page);
    await reach?.(page);
    const field = page.getByLabel(label, { exact: true });
    const button = page.getByRole('button', { name: save, exact: true }).last();
    await field.fill(mine);
    await ask(method, place.api, change(theirs));
    await button.click();
    await page.getByText(OVERTAKEN).waitFor();
    await findNothingWrong(page, `the notice of a ${name}`);
    assert.equal(await field.inputValue(), mine);
    assert.equal(told(await ask('GET', place.api)), theirs);
    await button.click();
    await page.getByText(OVERTAKEN).waitFor();
    assert.equal(told(await ask('GET', place.api)), theirs, 'pressed once more it is not written over either');

    await page.getByRole('button', { name: 'Show theirs' }).click();
    assert.equal(await field.inputValue(), theirs);
    await page.getByRole('button', { name: 'Go back to mine' }).click();
    assert.equal(await field.inputValue(), mine);
    await ask(method, place.api, change(again));
    await button.click();
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.getByText(OVERTAKEN).waitFor({ state: 'detached' });
    await eventually(async () => told(await ask('GET', place.api)) === mine);
    assert.deepEqual(
      errors.filter((text) => !text.includes('409')),
      [],
    );
    await page.context().close();
  });
}

test('what somebody else changed beside what is written here is no reason to ask', async () => {
  const wish = { target_url: 'https://here.example/events', events: ['api_mail_log_delivered'] };
  const { data: made } = await ask('POST', '/v1/webhooks/endpoints', wish);
  const api = `/v1/webhooks/endpoints/${made.id}`;
  const { page } = await office.open(`/email/webhooks/${made.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Address', { exact: true }).fill('https://elsewhere.example/events');
  await ask('PATCH', api, { status: 'disabled' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { data } = await ask('GET', api);
  assert.deepEqual([data.target_url, data.status], ['https://elsewhere.example/events', 'disabled']);
  await page.context().close();
});

test('a drip campaign that somebody else has saved meanwhile is shown, and what was written comes back', async () => {
  const { data: list } = await ask('POST', marketing('/subscription_lists'), { name: 'Patients' });
  const { data: drip } = await ask('POST', marketing('/drip_campaigns'), {
    drip_campaign: { name: 'Welcome', subscription_list_id: list.id, steps: [{ id: 'a', type: 'delay', days: 1 }] },
  });
  const api = marketing(`/drip_campaigns/${drip.id}`);
  const nameOf = async () => (await ask('GET', api)).data.attributes.name;
  const { page } = await office.open(`/marketing/drips/${drip.id}`);
  const field = page.getByLabel('Name', { exact: true });
  await page.getByRole('button', { name: 'Name and sender' }).click();
  await field.fill('Mine');
  await ask('PATCH', api, { drip_campaign: { name: 'Theirs' } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: OVERTAKEN });
  await dialog.getByRole('button', { name: 'Show theirs' }).click();
  assert.equal(await field.inputValue(), 'Theirs');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  assert.equal(await field.inputValue(), 'Mine');
  await ask('PATCH', api, { drip_campaign: { name: 'Theirs again' } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Save mine over theirs' }).click();
  assert.equal(await nameOf(), 'Theirs again');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
  assert.equal(await nameOf(), 'Mine');
  await page.context().close();
});
