import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery, type KyselyPlugin } from 'kysely';
import { listSubmissions, type SubmissionQuery } from '../../src/forms/submissions/list.ts';
import type { WorkState } from '../../src/forms/work/work.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { lookedAt } from '../support/looked-at.ts';
import { asOwner } from '../support/owner.ts';

const COUNT = 'select count_submissions($1, current_date)';
const FORMS = 100;
const ADD_SUBMISSIONS = `
  with made as (
    insert into submissions (id, customer_id, form_id, form_version, sealed, created_at)
    select time_ordered_id(now()), $1, $2, 1, '', now() from generate_series(1, 500) returning id)
  insert into submission_work (submission_id, customer_id, form_id, state, updated_at)
  select id, $1, $2, case when row_number() over () > 490 then 'in_work' else 'done' end, now() from made`;
const DESTROY_ALL = `
  with gone_work as (delete from submission_work where form_id = $1), gone as (delete from submissions where form_id = $1)
  update form_counts set submission_count = 0 where form_id = $1`;
const EVERYTHING: SubmissionQuery = {
  submissionId: null,
  submitterEmail: null,
  since: null,
  until: null,
  workState: null,
  assignee: null,
  orderBy: 'created_at',
  order: 'desc',
  page: 1,
  items: 5,
};

test('a form that is counted for is looked up by its key, also by plans that were made when there were few', async (t) => {
  const app = await startApp(t);
  const { id: customerId } = await app.createCustomer();
  const formId = await addForm(app, customerId);
  const counts = JSON.stringify([{ customer_id: customerId, form_id: formId, added: 1 }]);
  await asOwner(app, async (client) => {
    await client.query('analyze forms, form_counts, agreements');
    await client.query('set role carepost_app');
    await client.query(`set carepost.customers = '{${customerId}}'`);
    for (let i = 0; i < 10; i += 1) await client.query(COUNT, [counts]);
    for (let i = 0; i < FORMS; i += 1) await addForm(app, customerId);
    await client.query('begin');
    const before = await lookedAt((text) => client.query(text));
    await client.query(COUNT, [counts]);
    const after = await lookedAt((text) => client.query(text));
    await client.query('rollback');
    for (const table of ['forms', 'form_counts', 'agreements']) {
      assert.ok((after[table] ?? 0) - (before[table] ?? 0) <= 2, `${after[table]} rows of ${table}`);
    }
  });
});

/** A form whose submissions are all worked on, and how they are listed by state through a database. */
async function addWorked(app: TestApp) {
  const { id: customerId } = await app.createCustomer();
  const formId = await addForm(app, customerId);
  await asOwner(app, async (client) => {
    await client.query(ADD_SUBMISSIONS, [customerId, formId]);
    await client.query('update form_counts set submission_count = 500 where form_id = $1', [formId]);
    await client.query('analyze submissions, submission_work');
  });
  const { db, vault } = app.installation;
  const act = { customerId, actor: { kind: 'key', id: 'k' }, action: 'submissions.listed', requestId: null } as const;
  const list = (tenant: Database['tenant'], workState: WorkState) => {
    const deps = { db: { ...db, tenant }, vault, clock: systemClock, requireOwn: async () => {} };
    return listSubmissions(deps, act, formId, { ...EVERYTHING, workState });
  };
  return { formId, list };
}

test('how many submissions are in a state is known without a look at them', async (t) => {
  const app = await startApp(t);
  const { db } = app.installation;
  const { list } = await addWorked(app);
  let looked = 0;
  const tenant: Database['tenant'] = (customers, work) =>
    db.tenant(customers, async (tx) => {
      const result = await work(tx);
      looked = (await lookedAt((text) => tx.executeQuery(CompiledQuery.raw(text)))).submissions ?? 0;
      return result;
    });
  for (const [workState, inAll, shown, most] of [
    ['new', 0, 0, 0],
    ['in_work', 10, 5, 600],
    ['done', 490, 5, 600],
  ] as const) {
    const { total, works } = await list(tenant, workState);
    assert.deepEqual([total, works.size], [inAll, shown], workState);
    assert.ok(looked <= most, `${looked} rows for ${workState}`);
  }
});

test('submissions that are destroyed while they are counted make nothing less than none', async (t) => {
  const app = await startApp(t);
  const { db } = app.installation;
  for (let moment = 0; moment < 3; moment += 1) {
    const { formId, list } = await addWorked(app);
    let statement = 0;
    const destroying: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (statement === moment) await asOwner(app, (client) => client.query(DESTROY_ALL, [formId]));
        statement += 1;
        return result;
      },
    };
    const tenant: Database['tenant'] = (customers, work) =>
      db.tenant(customers, (tx) => work(tx.withPlugin(destroying)));
    assert.equal((await list(tenant, 'new')).total, 0, `after statement ${moment}`);
  }
});
