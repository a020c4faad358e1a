import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';

const CHANGED = 'if_updated_at: has been changed since';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

type Fields = Record<string, unknown>;

interface Kept {
  base: string;
  /** What is made, told apart from others by a mark. */
  made(mark: string): Fields;
  /** Where one made is found, where it is not below the base. */
  place?: string;
  method?: 'PATCH' | 'PUT';
  /** A change that is told apart by its text. */
  change(text: string): Fields;
  /** What a reply says of that text. */
  told(fields: Fields): unknown;
}

const KEPT: Record<string, Kept> = {
  template: {
    base: '/v1/email/dynamic_templates',
    made: (mark) => ({ name: mark, body: '<p>Come at nine.</p>' }),
    change: (text) => ({ name: text }),
    told: ({ name }) => name,
  },
  webhook: {
    base: '/v1/webhooks/endpoints',
    made: (mark) => ({ target_url: `https://${mark}.example/events`, events: ['api_mail_log_delivered'] }),
    change: (text) => ({ target_url: `https://${text}.example/events` }),
    told: ({ target_url }) => String(target_url).slice(8, -'.example/events'.length),
  },
  mailing: {
    base: '/v1/marketing/campaign_mailings',
    made: (mark) => ({ campaign_mailing: { subject: mark, html_part: '<p>Come by.</p>' } }),
    change: (text) => ({ campaign_mailing: { default_subject: text } }),
    told: ({ default_subject }) => default_subject,
  },
  drip: {
    base: '/v1/marketing/drip_campaigns',
    made: (mark) => ({ drip_campaign: { name: mark } }),
    change: (text) => ({ drip_campaign: { name: text } }),
    told: ({ name }) => name,
  },
  segment: {
    base: '/v1/marketing/dynamic_lists',
    made: (mark) => ({ name: mark, filters: [[{ field: 'email', op: 'contains', terms: ['a'] }]] }),
    change: (text) => ({ name: text }),
    told: ({ name }) => name,
  },
  list: {
    base: '/v1/marketing/subscription_lists',
    made: (mark) => ({ name: mark }),
    change: (text) => ({ consent_text: text }),
    told: ({ consent_text }) => consent_text,
  },
  person: {
    base: '/v1/marketing/subscribers',
    made: (mark) => ({ subscriber: { email: `${mark}@patients.example` } }),
    change: (text) => ({ subscriber: { first_name: text } }),
    told: ({ first_name }) => first_name,
  },
  form: {
    base: '/v1/forms/api/forms',
    made: (mark) => ({ title: mark, form_json: { fields: [] } }),
    method: 'PUT',
    change: (text) => ({ description: text }),
    told: ({ description }) => description,
  },
  'page of a form': {
    base: '/v1/forms/api/forms',
    made: (mark) => ({ title: mark, form_json: { fields: [] } }),
    place: '/page',
    method: 'PUT',
    change: (text) => ({ frame_origins: [`https://${text}.example`] }),
    told: ({ frame_origins }) => (frame_origins as string[])[0]?.slice(8, -'.example'.length),
  },
};

async function ask(method: string, path: string, body?: object) {
  return app.request(method, path, { key: customer.key, ...(body === undefined ? {} : { body }) });
}

/** Makes one, and answers how it is read and changed. */
async function make({ base, made, place = '', method = 'PATCH', change, told }: Kept, mark: string) {
  const { status, body } = await ask('POST', base, { customer_id: customer.id, ...made(mark) });
  assert.ok(status < 300, JSON.stringify(body));
  const path = `${base}/${body.data?.id ?? body.id}${place}`;
  return {
    async read(): Promise<{ text: unknown; updatedAt: string }> {
      const { body: found } = await ask('GET', path);
      const fields = found.data?.attributes ?? found.data ?? found;
      return { text: told(fields), updatedAt: fields.updated_at };
    },
    save(text: string, if_updated_at?: unknown) {
      clock.advance(1_000);
      return ask(method, path, { ...change(text), ...(if_updated_at === undefined ? {} : { if_updated_at }) });
    },
  };
}

for (const [name, kept] of Object.entries(KEPT)) {
  test(`a ${name} that somebody else has saved meanwhile is written over by nobody who says what they read`, async () => {
    const { read, save } = await make(kept, 'first');
    const { updatedAt } = await read();
    assert.equal((await save('theirs', updatedAt)).status, 200);
    const refused = await save('mine', updatedAt);
    assert.equal(refused.status, 409);
    assert.ok(refused.text.includes(CHANGED), refused.text);
    const now = await read();
    assert.equal(now.text, 'theirs');
    assert.equal((await save('mine', now.updatedAt)).status, 200);
    assert.equal((await read()).text, 'mine');

    for (const nothing of [undefined, null, '']) {
      const text = `over-${typeof nothing}`;
      assert.equal((await save(text, nothing)).status, 200, 'whoever says nothing of it goes on as before');
      assert.equal((await read()).text, text);
    }
    assert.ok([400, 422].includes((await save('mine', 'yesterday')).status));
  });

  test(`of two who save a ${name} at the same moment one is refused`, async () => {
    const { read, save } = await make(kept, 'second');
    const { updatedAt } = await read();
    const replies = await Promise.all(['one', 'two', 'three'].map((text) => save(text, updatedAt)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 409).length, 2);
  });
}
