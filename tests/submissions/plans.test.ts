import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { lookedAt } from '../support/looked-at.ts';
import { asOwner } from '../support/owner.ts';

const COUNT = 'select count_submissions($1, current_date)';
const FORMS = 100;

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
