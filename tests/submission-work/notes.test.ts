import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { askAs } from './working.ts';

const CANARY = 'canary-of-the-notes';
const MINUTE = 60_000;

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id);
});

const take = (method: string, path: string, body?: object) => askAs(app, customer).take(method, path, body);
const notesOf = async () => `/${formId}/submissions/${await submitted(app, formId, { form_data: { a: 1 } })}/notes`;

test('notes stand in the order in which they were written, each with who wrote it and when', async () => {
  const path = await notesOf();
  const { data: first } = await take('POST', path, { text: ' Call back.\nTwice. ' });
  clock.advance(1_000);
  await take('POST', path, { text: 'Done' });
  const { data } = await take('GET', path);
  const by = { kind: 'key', id: customer.keyId };
  const at = clock.now().toISOString();
  assert.deepEqual(data[0], first);
  assert.deepEqual(
    { ...data[0], id: '', at: '' },
    { id: '', at: '', by, text: 'Call back.\nTwice.', taken_back_at: null },
  );
  assert.deepEqual({ ...data[1], id: '' }, { id: '', at, by, text: 'Done', taken_back_at: null });
  assert.equal((await take('GET', path.replace('/notes', '/work'))).data.note_count, 2);
});

test('a note is sealed, and nothing but the reply tells what it says', async () => {
  const path = await notesOf();
  await take('POST', path, { text: CANARY });
  await take('GET', path);
  const { rows } = await asOwner(app, (client) =>
    client.query(`select string_agg(n::text || encode(n.sealed, 'escape'), '') as notes,
      (select string_agg(a::text, '') from audit_log a) as audit from submission_notes n`),
  );
  assert.ok(!rows[0].notes.includes(CANARY) && !rows[0].audit.includes(CANARY) && !app.logged().includes(CANARY));
  assert.match(rows[0].audit, /note\.written[\s\S]*submission\.notes-read/);
  const csv = await app.request('GET', `/v1/forms/api/forms/${formId}/submissions/submission-csv`, customer);
  assert.ok(!csv.text.includes(CANARY), 'whoever exports answers does not export notes');
});

test('one’s own note can be taken back for ten minutes, and it shows that there was one', async () => {
  const path = await notesOf();
  const { data: note } = await take('POST', path, { text: CANARY });
  const { ask } = askAs(app, customer);
  const other = await app.createKey(customer, ['forms']);
  assert.equal((await askAs(app, other).ask('DELETE', `${path}/${note.id}`)).status, 403, 'not by somebody else');
  clock.advance(10 * MINUTE);
  await take('DELETE', `${path}/${note.id}`);
  const { data } = await take('GET', path);
  assert.deepEqual(data, [{ ...note, text: null, taken_back_at: clock.now().toISOString() }]);
  assert.equal((await take('GET', path.replace('/notes', '/work'))).data.note_count, 0);
  const { data: late } = await take('POST', path, { text: 'Late' });
  clock.advance(10 * MINUTE + 1);
  assert.equal((await ask('DELETE', `${path}/${late.id}`)).status, 409);
  assert.equal((await take('GET', path)).data[1].text, 'Late');
});

test('a note says something, and not more than a page', async () => {
  const path = await notesOf();
  const { ask } = askAs(app, customer);
  for (const text of ['', '  \n ', 'x'.repeat(10_001)]) {
    const { status, text: told } = await ask('POST', path, { text });
    assert.equal(status, 400);
    assert.match(told, /text/);
  }
  assert.equal((await ask('POST', path, { text: 'x'.repeat(10_000) })).status, 201);
});
