import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { sql, type Updateable } from 'kysely';
import type { Tables } from '../../src/platform/db/tables.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';

const BASES = ['/v1/forms', '/forms', ''];
const DAY = 24 * 3600 * 1000;
const NOON = Date.UTC(2026, 0, 1, 12);

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

type Seed = Updateable<Tables['forms']> & { submissions?: number };

/** A form with these columns, made the product's own way. */
async function seed(customer: TestCustomer, { submissions = 0, ...columns }: Seed = {}): Promise<string> {
  const id = await addForm(app, customer.id, { form_json: {} });
  await app.installation.db.tenant([customer.id], async (tx) => {
    await tx
      .updateTable('forms')
      .set({ version: 1, ...columns })
      .where('id', '=', id)
      .execute();
    await tx.updateTable('form_counts').set({ submission_count: submissions }).where('form_id', '=', id).execute();
  });
  return id;
}

async function seedTitles(customer: TestCustomer, titles: string[]): Promise<void> {
  for (const title of titles) await seed(customer, { title });
}

type Parameters = Record<string, string> | [string, string][];

function list(customer: TestCustomer, parameters: Parameters = {}, base = '/v1/forms') {
  const query = new URLSearchParams(parameters);
  if (!query.has('customer_id')) query.set('customer_id', String(customer.id));
  return app.request('GET', `${base}/api/forms?${query.toString()}`, { key: customer.key });
}

async function titlesOf(customer: TestCustomer, parameters: Parameters = {}): Promise<string[]> {
  const { status, body } = await list(customer, parameters);
  assert.equal(status, 200);
  return body.results.map(({ title }: { title: string }) => title);
}

async function pageInfoOf(customer: TestCustomer, parameters: Parameters) {
  const { status, body } = await list(customer, parameters);
  assert.equal(status, 200);
  return body.page_info;
}

test('a form is listed with every field in its type, on every base', async () => {
  const customer = await app.createCustomer();
  const now = new Date(NOON);
  const { id: listId } = await app.installation.db.tenant([customer.id], (tx) =>
    tx
      .insertInto('subscription_lists')
      .values({ customer_id: customer.id, name: 'News', is_default: false, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const formJson = { body: [{ type: 'text', id: 'a', label: 'Größe ☤', more: { deep: [1.5, null, [], {}] } }] };
  const fields = {
    title: 'Intake "A"',
    description: 'First visit',
    form_html: '<form>\u2028</form>',
    form_css: 'p { color: red }',
    vanity_url: `intake-${customer.id}`,
    version: 7,
    active: false,
    old_form_id: 12,
    recipient: 'a@example.com,b@example.com',
    signable: true,
    signature_confirmation_label: 'I agree',
    type: 'marketing_form',
    archived: true,
  };
  const id = await seed(customer, {
    ...fields,
    form_json: JSON.stringify(formJson),
    subscription_list_id: listId,
    created_at: now,
    updated_at: new Date(NOON + 1),
    submissions: 3_000_000_000,
  });
  const expected = {
    id,
    ...fields,
    form_json: formJson,
    customer_id: customer.id,
    submission_count: 3_000_000_000,
    subscription_list_id: String(listId),
    deleted: false,
    created_at: '2026-01-01T12:00:00.000Z',
    updated_at: '2026-01-01T12:00:00.001Z',
  };
  for (const base of BASES) {
    const { status, body } = await list(customer, {}, base);
    assert.equal(status, 200);
    assert.deepEqual(body, { results: [expected], page_info: { count: 1, pages: 1, page: 1, items: 50 } });
  }
});

test('what a form does not have is null', async () => {
  const customer = await app.createCustomer();
  await seed(customer, { form_json: null });
  const [form] = (await list(customer)).body.results;
  const empty = Object.keys(form).filter((name) => form[name] === null);
  assert.deepEqual(empty.toSorted(), [
    'description',
    'form_css',
    'form_html',
    'form_json',
    'old_form_id',
    'recipient',
    'signature_confirmation_label',
    'subscription_list_id',
    'type',
    'vanity_url',
  ]);
  assert.equal(Object.keys(form).length, 21);
});

test('a customer without forms gets an empty page', async () => {
  const { body } = await list(await app.createCustomer());
  assert.deepEqual(body, { results: [], page_info: { count: 0, pages: 0, page: 1, items: 50 } });
});

test('customer_id is required and takes digits', async () => {
  const { id, key } = await app.createCustomer();
  for (const base of BASES) {
    for (const query of ['', '?customer_id', '?customer_id=', '?customer_id=x', `?customer_id=${id}x`]) {
      const { status, body } = await app.request('GET', `${base}/api/forms${query}`, { key });
      assert.equal(status, 400, query);
      assert.deepEqual(Object.keys(body), ['message', 'detail', 'error', 'errors', 'fields']);
      assert.deepEqual(Object.keys(body.fields), ['customer_id']);
      assert.equal(body.errors[0].code, 400);
    }
  }
  for (const wrong of [`${id}.5`, `${id}e0`, ` ${id}`, '0x1', 'NaN', 'null', '--', '１']) {
    const reply = await app.request('GET', `/v1/forms/api/forms?customer_id=${encodeURIComponent(wrong)}`, { key });
    assert.equal(reply.status, 400, wrong);
  }
});

test('the forms of another customer are refused with 403, whether that customer exists or not', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  await seed(stranger);
  for (const wanted of [stranger.id, 0, 2 ** 31 - 1, 2 ** 31, -1, -customer.id, '99999999999', '9'.repeat(400)]) {
    const { status, body } = await list(customer, { customer_id: String(wanted) });
    assert.equal(status, 403);
    assert.equal(body.errors[0].code, 403);
  }
});

test('a key that is missing, unknown, without scope forms, or sent as a token is refused with 401', async () => {
  const customer = await app.createCustomer();
  const { key: otherScopes } = await app.createKey(customer, ['email', 'marketing']);
  const headers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${otherScopes}` },
    { authorization: 'Bearer nonsense' },
  ];
  for (const sent of [...headers, { authorization: `Token token=${customer.key}` }]) {
    const path = `/v1/forms/api/forms?customer_id=${customer.id}`;
    const { status, body } = await app.request('GET', path, { headers: sent });
    assert.equal(status, 401);
    assert.equal(body.errors[0].code, 401);
  }
});

test('form_id restricts the list to one form, in any spelling of the UUID', async () => {
  const customer = await app.createCustomer();
  const id = await seed(customer, { title: 'Wanted' });
  await seed(customer);
  for (const spelling of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
    const { body } = await list(customer, { form_id: spelling });
    assert.deepEqual(
      body.results.map((form: { id: string }) => form.id),
      [id],
    );
    assert.equal(body.page_info.count, 1);
  }
  assert.deepEqual(await titlesOf(customer, { form_id: id, active: 'false' }), []);
  assert.equal((await titlesOf(customer, { form_id: '' })).length, 2, 'a blank form_id restricts nothing');
});

test('a form_id that is unknown, malformed or deleted gives an empty list', async () => {
  const customer = await app.createCustomer();
  const id = await seed(customer);
  const deleted = await seed(customer, { deleted: true });
  for (const wrong of [randomUUID(), deleted, 'x', '7', `${id}0`, id.slice(1), `{${id}}`, `${id}\0`, '%', "' or 1=1"]) {
    const { status, body } = await list(customer, { form_id: wrong });
    assert.equal(status, 200, wrong);
    assert.deepEqual(body, { results: [], page_info: { count: 0, pages: 0, page: 1, items: 50 } });
  }
});

test("another customer's form_id is refused with 403, deleted or not", async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  for (const foreign of [await seed(stranger), await seed(stranger, { deleted: true })]) {
    const { status, body } = await list(customer, { form_id: foreign });
    assert.equal(status, 403);
    assert.ok(!JSON.stringify(body).includes(foreign));
  }
});

test('search finds part of the title or description and ignores case', async () => {
  const customer = await app.createCustomer();
  await seed(customer, { title: 'Ärzte Intake', description: null });
  await seed(customer, { title: 'Other', description: 'about intake forms' });
  await seed(customer, { title: 'Neither', description: 'nothing' });
  await seed(customer, { title: 'Long', description: `${'ö'.repeat(1500)} intake` });
  const found = async (search: string) => (await titlesOf(customer, { search })).toSorted();
  assert.deepEqual(await found('INTAKE'), ['Long', 'Other', 'Ärzte Intake']);
  assert.deepEqual(await found('ärzTE i'), ['Ärzte Intake']);
  assert.deepEqual(await found('t forms'), []);
  assert.deepEqual(await found('otherabout'), [], 'title and description are searched apart');
  assert.equal((await found('')).length, 4);
});

test('a search that thousands of forms fit is counted to the last one, short and long texts alike', async () => {
  const customer = await app.createCustomer();
  await app.installation.db.tenant([customer.id], (tx) =>
    sql`with made as (
        insert into forms (id, customer_id, title, description, created_at, updated_at)
        select gen_random_uuid(), ${customer.id}, case when n % 500 = 0 then 'Zebra ' else 'Intake ' end || n,
          case when n <= 3 then repeat('ö', 1500) || ' ' || n end, now(), now() from generate_series(1, 2106) n
        returning id, customer_id)
      insert into form_counts (form_id, customer_id) select id, customer_id from made`.execute(tx),
  );
  const counted = async (search: string) => (await pageInfoOf(customer, { search })).count;
  assert.deepEqual([await counted('INTAKE'), await counted('in'), await counted('zebra')], [2102, 2102, 4]);
  assert.deepEqual(await titlesOf(customer, { search: 'Öö 3' }), ['Intake 3']);
  const change = (set: Updateable<Tables['forms']>, title: string) =>
    app.installation.db.tenant([customer.id], (tx) =>
      tx.updateTable('forms').set(set).where('customer_id', '=', customer.id).where('title', '=', title).execute(),
    );
  await change({ deleted: true }, 'Intake 1');
  await change({ title: 'Renamed' }, 'Intake 2');
  await change({ description: 'ö'.repeat(1200) }, 'Intake 4');
  await change({ description: null }, 'Intake 3');
  assert.deepEqual([await counted('intake'), await counted('öö'), await counted('e')], [2100, 2, 2105]);
});

test('search takes % _ and \\ as they are', async () => {
  const customer = await app.createCustomer();
  const titles = ['100% done', 'snake_case', 'back\\slash', "quo'te", 'plain 100 done', 'snakeXcase'];
  await seedTitles(customer, titles);
  for (const [search, expected] of [
    ['%', ['100% done']],
    ['0% D', ['100% done']],
    ['_', ['snake_case']],
    ['e_c', ['snake_case']],
    ['\\', ['back\\slash']],
    ['\\%', []],
    ['k\\s', ['back\\slash']],
    ["'", ["quo'te"]],
    ['%%', []],
  ] as const) {
    assert.deepEqual(await titlesOf(customer, { search }), expected, search);
  }
});

test('archived and active filter by true and false; every other value is ignored', async () => {
  const customer = await app.createCustomer();
  for (const archived of [true, false])
    for (const active of [true, false]) await seed(customer, { archived, active, title: `${archived} ${active}` });
  const found = async (parameters: Parameters) => (await titlesOf(customer, parameters)).toSorted();
  assert.deepEqual(await found({ archived: 'true' }), ['true false', 'true true']);
  assert.deepEqual(await found({ archived: 'false' }), ['false false', 'false true']);
  assert.deepEqual(await found({ active: 'true' }), ['false true', 'true true']);
  assert.deepEqual(await found({ active: 'false' }), ['false false', 'true false']);
  assert.deepEqual(await found({ archived: 'true', active: 'false' }), ['true false']);
  for (const ignored of ['', '1', '0', 'TRUE', 'False', 'yes', 'null', ' true', '[]']) {
    assert.equal((await found({ archived: ignored, active: ignored })).length, 4, ignored);
  }
});

test('deleted forms are left out of results and counts', async () => {
  const customer = await app.createCustomer();
  await seed(customer, { title: 'Kept' });
  await seed(customer, { title: 'Gone', deleted: true });
  await seed(customer, { title: 'Gone too', deleted: true, archived: true, active: false });
  const { body } = await list(customer);
  assert.deepEqual(
    body.results.map((form: { title: string }) => form.title),
    ['Kept'],
  );
  assert.equal(body.page_info.count, 1);
  assert.deepEqual(await titlesOf(customer, { search: 'gone', archived: 'true' }), []);
});

function times(created: number, updated: number) {
  return { created_at: new Date(NOON + created * DAY), updated_at: new Date(NOON + updated * DAY) };
}

test('order_by sorts by each of its columns, descending unless order is asc', async () => {
  const customer = await app.createCustomer();
  await seed(customer, { title: 'b', submissions: 10, ...times(1, 6) });
  await seed(customer, { title: 'c', submissions: 9, ...times(3, 5) });
  await seed(customer, { title: 'a', submissions: 100, ...times(2, 4) });
  const ascending = {
    created_at: ['b', 'a', 'c'],
    title: ['a', 'b', 'c'],
    updated_at: ['a', 'c', 'b'],
    submission_count: ['c', 'b', 'a'],
  };
  for (const [column, expected] of Object.entries(ascending)) {
    assert.deepEqual(await titlesOf(customer, { order_by: column, order: 'asc' }), expected, column);
    assert.deepEqual(await titlesOf(customer, { order_by: column, order: 'desc' }), expected.toReversed(), column);
    assert.deepEqual(await titlesOf(customer, { order_by: column }), expected.toReversed(), column);
  }
  const newestFirst = ascending.created_at.toReversed();
  assert.deepEqual(await titlesOf(customer), newestFirst);
  for (const unknown of ['', 'id', 'version', 'Title', 'title;', 'f.title', 'constructor', '__proto__', '1']) {
    assert.deepEqual(await titlesOf(customer, { order_by: unknown }), newestFirst, unknown);
    assert.deepEqual(await titlesOf(customer, { order_by: unknown, order: 'asc' }), ascending.created_at, unknown);
  }
  for (const ignored of ['', 'ASC', 'ascending', '1', 'asc;']) {
    assert.deepEqual(await titlesOf(customer, { order: ignored }), newestFirst, ignored);
  }
});

test('page and items fall back below 1 and where they are no number, and items is capped at 100', async () => {
  const customer = await app.createCustomer();
  await seedTitles(customer, ['a', 'b', 'c']);
  for (const wrong of ['', '0', '-1', '-100', 'x', 'NaN', 'Infinity', '1x', 'null', '二']) {
    assert.deepEqual(await pageInfoOf(customer, { page: wrong }), { count: 3, pages: 1, page: 1, items: 50 }, wrong);
    assert.deepEqual(await pageInfoOf(customer, { items: wrong }), { count: 3, pages: 1, page: 1, items: 50 }, wrong);
  }
  for (const [asked, given] of [
    ['1', 1],
    ['99', 99],
    ['100', 100],
    ['101', 100],
    ['2147483648', 100],
    ['9'.repeat(400), 100],
  ] as const) {
    assert.equal((await pageInfoOf(customer, { items: asked })).items, given, asked);
  }
});

test('pages follow each other without gap or overlap and end with an empty one', async () => {
  const customer = await app.createCustomer();
  await seedTitles(customer, ['a', 'b', 'c', 'd', 'e']);
  const page = (number: number) =>
    titlesOf(customer, { order_by: 'title', order: 'asc', items: '2', page: `${number}` });
  assert.deepEqual([await page(1), await page(2), await page(3)], [['a', 'b'], ['c', 'd'], ['e']]);
  assert.deepEqual(await pageInfoOf(customer, { items: '2', page: '3' }), { count: 5, pages: 3, page: 3, items: 2 });
  for (const beyond of [4, 1_000_000, 2_147_483_647, 2_147_483_648, 10 ** 20]) {
    assert.deepEqual(await page(beyond), [], `page ${beyond}`);
  }
  assert.deepEqual(await pageInfoOf(customer, { items: '2', page: '4' }), { count: 5, pages: 3, page: 4, items: 2 });
});

test('a page holds as many as 100 forms', async () => {
  const customer = await app.createCustomer();
  await Promise.all(Array.from({ length: 101 }, () => seed(customer)));
  for (const [parameters, length] of [
    [{}, 50],
    [{ items: '99' }, 99],
    [{ items: '100' }, 100],
    [{ items: '101' }, 100],
    [{ items: '101', page: '2' }, 1],
  ] as const) {
    assert.equal((await titlesOf(customer, parameters)).length, length, JSON.stringify(parameters));
  }
});

test('the last of a repeated parameter counts, and unknown parameters are ignored', async () => {
  const customer = await app.createCustomer();
  await seedTitles(customer, ['a', 'b']);
  assert.deepEqual(
    await titlesOf(customer, [
      ['search', 'a'],
      ['search', 'b'],
      ['search[]', 'a'],
      ['limit', '0'],
    ]),
    ['b'],
  );
});

const POOL_SIZE = 30;

const anyForm = fc.record({
  title: fc.constantFrom('a', 'b', 'ab', 'abc', 'c'),
  description: fc.constantFrom(null, 'a', 'bc', 'x%y', 'x_y'),
  active: fc.boolean(),
  archived: fc.boolean(),
  deleted: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  created_at: fc.nat(3),
  updated_at: fc.nat(3),
  submission_count: fc.nat(3),
});
type ModelForm = { id: string } & (typeof anyForm extends fc.Arbitrary<infer T> ? T : never);

const anyQuery = fc.record(
  {
    search: fc.constantFrom('a', 'B', 'bc', '%', '_', 'nowhere'),
    active: fc.constantFrom('true', 'false'),
    archived: fc.constantFrom('true', 'false'),
    order_by: fc.constantFrom('created_at', 'title', 'updated_at', 'submission_count'),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);
type ModelQuery = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

/** What the list has to be, computed without a database. */
function modelIds(forms: ModelForm[], query: ModelQuery): string[] {
  const { search = '', active, archived, order_by: by = 'created_at', order = 'desc' } = query;
  const holds = (text: string | null) => text?.toLowerCase().includes(search.toLowerCase()) === true;
  const matching = forms.filter(
    (form) =>
      !form.deleted &&
      (active === undefined || form.active === (active === 'true')) &&
      (archived === undefined || form.archived === (archived === 'true')) &&
      (search === '' || holds(form.title) || holds(form.description)),
  );
  const keyOf = (form: ModelForm) => `${String(form[by]).padEnd(4)} ${form.id}`;
  const ascending = matching.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return (order === 'asc' ? ascending : ascending.toReversed()).map(({ id }) => id);
}

async function store({ id }: TestCustomer, forms: ModelForm[]): Promise<void> {
  const rows = forms.map((form) => ({
    ...form,
    created_at: new Date(NOON + form.created_at),
    updated_at: new Date(NOON + form.updated_at),
  }));
  await app.installation.db.tenant([id], async (tx) => {
    const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, title text, description text,
      active bool, archived bool, deleted bool, created_at timestamptz, updated_at timestamptz, submission_count int)`;
    await sql`update forms f set title = r.title, description = r.description, active = r.active, archived = r.archived,
      deleted = r.deleted, created_at = r.created_at, updated_at = r.updated_at from ${given} where f.id = r.id`.execute(
      tx,
    );
    await sql`update form_counts c set submission_count = r.submission_count from ${given}
      where c.form_id = r.id`.execute(tx);
  });
}

test('walking all pages gives every matching form once, in the order of an in-memory model', async () => {
  const customer = await app.createCustomer();
  const ids: string[] = [];
  while (ids.length < POOL_SIZE) ids.push(await seed(customer));
  const anyForms = fc.array(anyForm, { minLength: POOL_SIZE, maxLength: POOL_SIZE });
  await fc.assert(
    fc.asyncProperty(anyForms, anyQuery, fc.integer({ min: 1, max: 12 }), async (states, query, items) => {
      const forms = states.map((state, index) => ({ id: ids[index] as string, ...state }));
      await store(customer, forms);
      const expected = modelIds(forms, query);
      const pages = Math.ceil(expected.length / items);
      const walked: string[] = [];
      for (let page = 1; page <= pages + 1; page += 1) {
        const { body } = await list(customer, {
          ...(query as Record<string, string>),
          items: `${items}`,
          page: `${page}`,
        });
        assert.deepEqual(body.page_info, { count: expected.length, pages, page, items });
        walked.push(...body.results.map((form: { id: string }) => form.id));
      }
      assert.deepEqual(walked, expected);
    }),
    { numRuns: 60 },
  );
});
