import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { askForm, assertRefuses, changeForm, FORMS, makeForm, readForm } from './form-requests.ts';

const DAY = 24 * 3600_000;

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

async function found(customer: TestCustomer, search: string): Promise<string[]> {
  const query = new URLSearchParams({ customer_id: String(customer.id), search });
  const { body } = await app.request('GET', `${FORMS}?${query.toString()}`, { key: customer.key });
  const titles = body.results.map(({ title }: { title: string }) => title);
  assert.equal(body.page_info.count, titles.length);
  return titles.toSorted();
}

test('search follows every change of title and description, and forgets what is deleted', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, { title: 'Alpha', description: 'Omega' });
  const copy = async (title: string) => (await askForm(app, customer, 'POST copy', { form_id: id, title })).body.id;
  assert.deepEqual([await found(customer, 'alpha'), await found(customer, 'OMEGA')], [['Alpha'], ['Alpha']]);
  await changeForm(app, customer, id, { title: 'Beta' });
  assert.deepEqual([await found(customer, 'alpha'), await found(customer, 'beta')], [[], ['Beta']]);
  await changeForm(app, customer, id, { description: 'Psi' });
  assert.deepEqual([await found(customer, 'omega'), await found(customer, 'psi')], [[], ['Beta']]);
  const copied = await copy('Gamma');
  assert.deepEqual(await found(customer, 'psi'), ['Beta', 'Gamma']);
  await changeForm(app, customer, id, { description: '' });
  assert.deepEqual(await found(customer, 'psi'), ['Gamma']);
  await askForm(app, customer, `POST ${copied}/archive`);
  assert.deepEqual(await found(customer, 'psi'), ['Gamma'], 'archived forms are found');
  await askForm(app, customer, `DELETE ${copied}`);
  assert.deepEqual([await found(customer, 'psi'), await found(customer, 'gamma')], [[], []]);
});

test('search takes a single letter, and % _ and \\ as they are, in titles and descriptions', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const texts = ['q', 'xq', '100%', 'a_b', 'back\\slash', 'Ünï ☤', '\\%', '\\_'];
  for (const text of texts) await makeForm(app, customer, { title: text, description: 'D' });
  for (const text of texts) await makeForm(app, customer, { title: `of ${text}`, description: 'D' });
  await makeForm(app, stranger, { title: 'q % _ \\' });
  const anySearch = fc.oneof(
    fc.constantFrom('q', 'X', '%', '_', '\\', '☤', 'ÜN', 'D', 'd', '%%', '__', '\\\\', 'k\\s', 'q%', '_b', '\\%', 'f '),
    fc.string({ unit: fc.constantFrom('q', 'a', '_', '%', '\\', '0', ' ', 'D'), minLength: 1, maxLength: 3 }),
  );
  const titles = texts.flatMap((text) => [text, `of ${text}`]);
  await fc.assert(
    fc.asyncProperty(anySearch, async (search) => {
      const holds = (text: string) => text.toLowerCase().includes(search.toLowerCase());
      const expected = titles.filter((title) => holds(title) || holds('D')).toSorted();
      assert.deepEqual(await found(customer, search), expected);
    }),
    { numRuns: 100 },
  );
});

async function statsOf({ key }: TestCustomer, query = '') {
  const { status, body } = await app.request('GET', `${FORMS}/stats${query}`, { key });
  assert.equal(status, 200);
  return body;
}

async function submit(id: string, times: number): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    const { status } = await app.request('POST', `/api/forms/${id}/submissions`, { body: { form_data: { a: 1 } } });
    assert.equal(status, 201);
  }
}

const stats = (active: number, total: number, week: number) => ({
  active_form_count: active,
  total_submission_count: total,
  submissions_last_7_days: week,
});

test('stats count active forms, submissions, and those of the last seven days; deleted forms count for nothing', async () => {
  const customer = await app.createCustomer();
  assert.deepEqual(await statsOf(customer), stats(0, 0, 0));
  const [kept, leaving] = [
    await makeForm(app, customer, { active: true }),
    await makeForm(app, customer, { active: true }),
  ];
  await makeForm(app, customer);
  await submit(kept, 2);
  await submit(leaving, 3);
  assert.deepEqual(await statsOf(customer), stats(2, 5, 5));
  assert.equal((await readForm(app, customer, kept)).submission_count, 2);
  await askForm(app, customer, `DELETE ${leaving}`);
  assert.deepEqual(await statsOf(customer), stats(1, 2, 2));
  await askForm(app, customer, `POST ${kept}/archive`);
  assert.deepEqual(await statsOf(customer), stats(0, 2, 2), 'what an archived form was sent still counts');
  clock.advance(7 * DAY);
  assert.deepEqual(await statsOf(customer), stats(0, 2, 2));
  clock.advance(1);
  assert.deepEqual(await statsOf(customer), stats(0, 2, 0));
});

test('stats are those of the key’s customer, of whom customer_id may remind', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  await makeForm(app, customer, { active: true });
  await makeForm(app, stranger, { active: true });
  const expected = { active_form_count: 1, total_submission_count: 0, submissions_last_7_days: 0 };
  assert.deepEqual(await statsOf(customer), expected);
  assert.deepEqual(await statsOf(customer, `?customer_id=${customer.id}`), expected);
  for (const wanted of [stranger.id, 0, -1, 2 ** 31]) {
    assertRefuses(await askForm(app, customer, `GET stats?customer_id=${wanted}`), 403);
  }
  for (const wrong of ['', 'x', '1.5', '-', '1e3', `${customer.id}x`]) {
    assertRefuses(await askForm(app, customer, `GET stats?customer_id=${wrong}`), 400, 'customer_id', wrong);
  }
});
