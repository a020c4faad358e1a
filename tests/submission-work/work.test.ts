import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { countNewSubmissions } from '../../src/forms/index.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { addColleague } from '../support/submission-work.ts';
import { askAs } from './working.ts';

let app: TestApp;
let customer: TestCustomer;
let formId: string;
let ids: string[];
let colleague: string;
before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: { fields: [{ type: 'text', name: 'a' }] } });
  ids = [];
  for (const a of ['one', 'two', 'three']) ids.push(await submitted(app, formId, { form_data: { a } }));
  colleague = await addColleague(app, customer.id, `${customer.username}@colleagues.example`);
});

const take = (method: string, path: string, body?: object) => askAs(app, customer).take(method, path, body);
const ask = (method: string, path: string, body?: object) => askAs(app, customer).ask(method, path, body);
const listed = async (query: string): Promise<string[]> => {
  const { data, total } = await take('GET', `/${formId}/submissions?order=asc&${query}`);
  assert.equal(total, data.length);
  return data.map(({ id }: { id: string }) => id);
};

test('a submission is new and nobody’s until somebody takes it up, and what is left out stays', async () => {
  const [id] = ids;
  const path = `/${formId}/submissions/${id}/work`;
  assert.deepEqual((await take('GET', path)).data, { work_state: 'new', assignee_id: null, note_count: 0 });
  const given = await take('PATCH', path, { assignee_id: colleague });
  assert.deepEqual(given.data, { work_state: 'new', assignee_id: colleague, note_count: 0 });
  const begun = await take('PATCH', path, { work_state: 'in_work' });
  assert.deepEqual(begun.data, { work_state: 'in_work', assignee_id: colleague, note_count: 0 });
  assert.deepEqual((await take('PATCH', path, {})).data, begun.data);
  assert.deepEqual((await take('PATCH', path, { assignee_id: null })).data.assignee_id, null);
  assert.deepEqual((await take('GET', path)).data.work_state, 'in_work');
  const { data } = await take('GET', `/${formId}/submissions?submission_id=${id}`);
  assert.deepEqual([data[0].work_state, data[0].assignee_id, data[0].note_count], ['in_work', null, 0]);
});

test('the list is filtered by state and by whose a submission is', async () => {
  const [one, two, three] = ids as [string, string, string];
  await take('PATCH', `/${formId}/submissions/${two}/work`, { work_state: 'done' });
  await take('PATCH', `/${formId}/submissions/${three}/work`, { assignee_id: colleague });
  assert.deepEqual(await listed('work_state=new'), [one, three]);
  assert.deepEqual(await listed('work_state=done'), [two]);
  assert.deepEqual(await listed('work_state=in_work'), []);
  assert.deepEqual(await listed('work_state=nonsense'), ids);
  assert.deepEqual(await listed(`assignee_id=${colleague}`), [three]);
  assert.deepEqual(await listed(`assignee_id=${colleague}&work_state=done`), []);
  assert.deepEqual(await listed('assignee_id=none'), [one, two]);
  assert.deepEqual(await listed(`assignee_id=${randomUUID()}`), []);
});

test('many are changed at once, all of them or none', async () => {
  const other = await addForm(app, customer.id);
  const elsewhere = await submitted(app, other, { form_data: { a: 'x' } });
  const path = `/${formId}/submissions/work`;
  for (const strange of [elsewhere, randomUUID(), 'malformed']) {
    const { status } = await ask('POST', path, { ids: [...ids, strange], work_state: 'done' });
    assert.equal(status, 404, strange);
  }
  assert.deepEqual(await listed('work_state=new'), ids);
  const body = { ids: [...ids, ids[0]?.toUpperCase()], work_state: 'done', assignee_id: colleague };
  assert.deepEqual(await take('POST', path, body), { changed: 3 });
  assert.deepEqual(await listed(`work_state=done&assignee_id=${colleague}`), ids);
  assert.deepEqual(await take('POST', path, { ids }), { changed: 0 });
  const many = Array.from({ length: 1_001 }, () => randomUUID());
  assert.equal((await ask('POST', path, { ids: many, work_state: 'done' })).status, 400);
  assert.equal((await ask('POST', path, { ids: [], work_state: 'done' })).status, 400);
});

test('submissions go to people of the customer who may read them', async () => {
  const path = `/${formId}/submissions/${ids[0]}/work`;
  const reader = await addColleague(app, customer.id, `reader-${customer.username}@example.com`, 'reader');
  const gone = await addColleague(app, customer.id, `gone-${customer.username}@example.com`);
  await asOwner(app, (client) => client.query('update users set disabled_at = now() where id = $1', [gone]));
  const stranger = await app.createCustomer();
  const foreign = await addColleague(app, stranger.id, `${stranger.username}@example.com`);
  for (const [id, status] of [
    [reader, 400],
    [gone, 400],
    [foreign, 403],
    [randomUUID(), 404],
  ] as const) {
    assert.equal((await ask('PATCH', path, { assignee_id: id })).status, status);
  }
  assert.equal((await ask('PATCH', path, { work_state: 'over' })).status, 400);
  assert.equal((await take('GET', path)).data.assignee_id, null);
});

test('what there is to do is counted over all forms that are not deleted', async () => {
  const [one, two] = ids as [string, string];
  await take('PATCH', `/${formId}/submissions/${one}/work`, { work_state: 'in_work', assignee_id: colleague });
  await take('PATCH', `/${formId}/submissions/${two}/work`, { work_state: 'done', assignee_id: colleague });
  const deleted = await addForm(app, customer.id);
  const forgotten = await submitted(app, deleted, { form_data: { a: 'x' } });
  await take('PATCH', `/${deleted}/submissions/${forgotten}/work`, { work_state: 'in_work' });
  await submitted(app, deleted, { form_data: { a: 'x' } });
  await take('DELETE', `/${deleted}`);
  const { data } = await take('GET', '/work');
  const { forms, ...counts } = data;
  assert.deepEqual(counts, { new: 1, in_work: 1, unassigned: 1, assigned: [{ assignee_id: colleague, open: 1 }] });
  assert.deepEqual(
    forms.map(({ title: _title, ...form }: { title: string }) => form),
    [{ form_id: formId, new: 1, in_work: 1 }],
  );
  const { db } = app.installation;
  assert.equal(await db.tenant([customer.id], (tx) => countNewSubmissions(tx, customer.id)), 1);
});

test('whoever destroys a submission destroys what was made of it', async () => {
  const [id] = ids;
  await take('PATCH', `/${formId}/submissions/${id}/work`, { work_state: 'done' });
  await take('POST', `/${formId}/submissions/${id}/notes`, { text: 'Call back' });
  await take('DELETE', `/${formId}/submissions/${id}`);
  for (const table of ['submission_work', 'submission_notes']) {
    const { rows } = await asOwner(app, (client) =>
      client.query(`select from ${table} where submission_id = $1`, [id]),
    );
    assert.equal(rows.length, 0, table);
  }
  assert.deepEqual((await take('GET', '/work')).data.new, 2);
  for (const rest of ['work', 'notes']) {
    assert.equal((await ask('GET', `/${formId}/submissions/${id}/${rest}`)).status, 404);
  }
});

test('the audit log has who changed what, and it is no disclosure', async () => {
  const [id] = ids;
  await take('PATCH', `/${formId}/submissions/${id}/work`, { work_state: 'done', assignee_id: colleague });
  await take('POST', `/${formId}/submissions/work`, { ids, assignee_id: null });
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `select actor_id, target, details from audit_log where customer_id = $1 and action = 'work.changed' order by id`,
      [customer.id],
    ),
  );
  assert.deepEqual(rows, [
    { actor_id: customer.keyId, target: id, details: { form: formId, state: 'done', assignee: colleague } },
    { actor_id: customer.keyId, target: formId, details: { submissions: ids, assignee: 'nobody' } },
  ]);
  assert.equal((await take('GET', `/${formId}/submissions/${id}/disclosures`)).total, 0);
});

test('what goes on with a form is counted by state and by day', async () => {
  const [one, two] = ids as [string, string];
  await take('PATCH', `/${formId}/submissions/${one}/work`, { work_state: 'in_work' });
  await take('PATCH', `/${formId}/submissions/${two}/work`, { work_state: 'done' });
  const { data } = await take('GET', `/${formId}/activity`);
  assert.deepEqual([data.new, data.in_work, data.done, data.days.length], [1, 1, 1, 30]);
  assert.deepEqual(data.days.at(-1), { day: new Date().toISOString().slice(0, 10), submissions: 3 });
  assert.equal(data.days[0].submissions, 0);
});
