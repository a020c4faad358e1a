import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { askForm, FORMS, makeForm, readForm, tally } from './form-requests.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

interface Flags {
  active: boolean;
  archived: boolean;
  deleted: boolean;
}

/** What is known of a customer's forms, by their ids. */
type Model = Map<string, Flags>;

/** One thing that a customer does, to the nth of the forms. */
const anyStep = fc.record({
  does: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('create', 'update', 'archive', 'unarchive', 'copy') },
    { weight: 1, arbitrary: fc.constant('delete') },
  ),
  nth: fc.nat(5),
  active: fc.boolean(),
});
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** Does it for real and in the model; what happens to a deleted form has to be refused. */
async function take(customer: TestCustomer, model: Model, { does, nth, active }: Step): Promise<void> {
  const [id, flags] = [...model][nth % Math.max(model.size, 1)] ?? [];
  if (does === 'create' || id === undefined || flags === undefined) {
    const made = await makeForm(app, customer, { active });
    model.set(made, { active, archived: false, deleted: false });
    return;
  }
  const calls: Record<string, [call: string, body: object | undefined, change: Partial<Flags>]> = {
    update: [`PUT ${id}`, { active }, { active }],
    archive: [`POST ${id}/archive`, undefined, { archived: true, active: false }],
    unarchive: [`POST ${id}/unarchive`, undefined, { archived: false }],
    delete: [`DELETE ${id}`, undefined, { deleted: true }],
    copy: ['POST copy', { form_id: id, title: 'Copy' }, {}],
  };
  const [call, body, change] = calls[does] as (typeof calls)[string];
  const reply = await askForm(app, customer, call, body);
  assert.equal(reply.status, flags.deleted ? 404 : 200, `${call} of ${JSON.stringify(flags)}`);
  if (flags.deleted) return;
  Object.assign(flags, change);
  if (does === 'copy') model.set(reply.body.id, { active: false, archived: false, deleted: false });
}

/** Each tally is what a count of the forms would give. */
async function assertTallies({ id }: TestCustomer): Promise<void> {
  const { rows } = await app.installation.db.tenant([id], (tx) =>
    sql`select active, archived, t.forms as tallied, f.forms as counted
      from (select active, archived, forms from form_tallies where customer_id = ${id}) t
      full join (select active, archived, count(*) as forms from forms where customer_id = ${id} and not deleted
        group by 1, 2) f using (active, archived)
      where coalesce(t.forms, 0) <> coalesce(f.forms, 0)`.execute(tx),
  );
  assert.deepEqual(rows, []);
}

const flagsOf = ({ active, archived, deleted }: Flags): Flags => ({ active, archived, deleted });

async function assertListed({ id, key }: TestCustomer, forms: [string, Flags][]): Promise<void> {
  const values = [undefined, true, false];
  const filters = values.flatMap((active) => values.map((archived) => ({ active, archived })));
  await Promise.all(
    filters.map(async ({ active, archived }) => {
      const query = new URLSearchParams({ customer_id: String(id) });
      if (active !== undefined) query.set('active', String(active));
      if (archived !== undefined) query.set('archived', String(archived));
      const { body } = await app.request('GET', `${FORMS}?${query.toString()}`, { key });
      const expected = forms
        .filter(([, each]) => active === undefined || each.active === active)
        .filter(([, each]) => archived === undefined || each.archived === archived);
      const listed = body.results.map((each: Flags & { id: string }) => [each.id, flagsOf(each)]);
      assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(expected));
      assert.equal(body.page_info.count, expected.length);
    }),
  );
}

/** Everything that anybody can see of the forms is as the model has it. */
async function assertSeen(customer: TestCustomer, model: Model): Promise<void> {
  const forms = [...model].filter(([, { deleted }]) => !deleted);
  await assertListed(customer, forms);
  const { body: stats } = await askForm(app, customer, 'GET stats');
  assert.equal(stats.active_form_count, forms.filter(([, { active }]) => active).length);
  const visible = await Promise.all(
    [...model.keys()].map(async (id) => (await app.request('GET', `/public/form_data/${id}`)).status),
  );
  assert.deepEqual(
    visible,
    [...model.values()].map(({ active, archived, deleted }) => (active && !archived && !deleted ? 200 : 404)),
  );
}

test('whatever is done to forms in whatever order, lists, stats and the public see what was done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 15 }), async (steps) => {
      const customer = await app.createCustomer();
      const model: Model = new Map();
      for (const step of steps) {
        await take(customer, model, step);
        await assertTallies(customer);
      }
      await assertSeen(customer, model);
    }),
    { numRuns: 25 },
  );
});

test('forms of a customer may change at the same time in opposite directions', async () => {
  const customer = await app.createCustomer();
  const ids = await Promise.all(
    Array.from({ length: 16 }, (_, index) => makeForm(app, customer, { active: index % 2 === 0 })),
  );
  for (let round = 0; round < 6; round += 1) {
    const replies = await Promise.all(
      ids.map((id, index) => askForm(app, customer, `PUT ${id}`, { active: (index + round) % 2 === 1 })),
    );
    assert.deepEqual(tally(replies), { 200: ids.length });
    await assertTallies(customer);
  }
});

test('a form that is archived, opened and deleted at the same time ends in one state that everybody sees', async () => {
  const customer = await app.createCustomer();
  for (let round = 0; round < 5; round += 1) {
    const id = await makeForm(app, customer, { active: true });
    const calls = [`POST ${id}/archive`, `POST ${id}/unarchive`, `PUT ${id}`, `POST ${id}/archive`, `PUT ${id}`];
    const ask = (call: string) => askForm(app, customer, call, call.startsWith('PUT') ? { active: true } : undefined);
    for (const { status } of await Promise.all(calls.map(ask))) assert.equal(status, 200);
    const { active, archived } = await readForm(app, customer, id);
    const flags: Model = new Map([[id, { active, archived, deleted: false }]]);
    await assertTallies(customer);
    await assertSeen(customer, flags);
    const deletions = await Promise.all([1, 2, 3].map(() => ask(`DELETE ${id}`)));
    assert.deepEqual(tally(deletions), { 200: 1, 404: 2 });
    await assertTallies(customer);
    await assertSeen(customer, new Map([[id, { active, archived, deleted: true }]]));
  }
});
