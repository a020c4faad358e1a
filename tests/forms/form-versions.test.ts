import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { askForm, assertRefuses, changeForm, makeForm, makeList, readForm, rowsOf, tally } from './form-requests.ts';

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

const versionsOf = (id: string) => rowsOf(app, 'select * from form_versions where form_id = $1 order by version', [id]);

const versionOf = async (customer: TestCustomer, id: string): Promise<number> =>
  (await readForm(app, customer, id)).version;

async function wholeForm(customer: TestCustomer): Promise<{ id: string; fields: Record<string, unknown> }> {
  const fields = {
    title: 'Intake',
    description: 'First visit',
    form_html: '<form></form>',
    form_json: { fields: [{ name: 'a' }] },
    form_css: 'p {}',
    vanity_url: `whole-${randomUUID().slice(0, 8)}`,
    active: true,
    recipient: 'a@example.com',
    signable: true,
    signature_confirmation_label: 'I agree',
    type: 'marketing_form',
    subscription_list_id: String(await makeList(app, customer)),
  };
  return { id: await makeForm(app, customer, { ...fields, old_form_id: 4 }), fields };
}

test('an update answers with the form’s id and changes what it names, and nothing else', async () => {
  const customer = await app.createCustomer();
  const { id } = await wholeForm(customer);
  const changes: Record<string, unknown> = {
    title: 'Other',
    description: 'Second visit',
    form_html: '<form>2</form>',
    form_json: { pages: [] },
    form_css: 'b {}',
    vanity_url: `other-${customer.id}`,
    active: false,
    recipient: 'b@example.com,c@example.com',
    signable: false,
    signature_confirmation_label: 'So do I',
    type: 'intake',
    subscription_list_id: String(await makeList(app, customer)),
  };
  for (const [name, value] of Object.entries(changes)) {
    const { version: _older, ...unchanged } = await readForm(app, customer, id);
    clock.advance(1000);
    const { status, body } = await askForm(app, customer, `PUT ${id.toUpperCase()}`, { [name]: value });
    assert.equal(status, 200, name);
    assert.deepEqual(body, { detail: 'Form updated successfully', form_id: id });
    const { version: _version, ...after } = await readForm(app, customer, id);
    assert.deepEqual(after, { ...unchanged, [name]: value, updated_at: clock.now().toISOString() });
  }
});

test('null and what is left out stay as they are', async () => {
  const customer = await app.createCustomer();
  const { id, fields } = await wholeForm(customer);
  const { updated_at: _made, ...made } = await readForm(app, customer, id);
  const nulls = Object.fromEntries([...Object.keys(fields), 'version'].map((name) => [name, null]));
  for (const change of [{}, nulls, { active: '', signable: '' }, { unheard: 'of', id: randomUUID(), deleted: true }]) {
    await changeForm(app, customer, id, change);
    const { updated_at: _after, ...after } = await readForm(app, customer, id);
    assert.deepEqual(after, made);
  }
  for (const name of ['archived', 'submission_count', 'created_at', 'retention_days']) {
    await changeForm(app, customer, id, { [name]: 7 });
  }
  const { updated_at: _after, ...after } = await readForm(app, customer, id);
  assert.deepEqual(after, made, 'what is not a setting cannot be set');
});

test('an empty text clears what may be empty', async () => {
  const customer = await app.createCustomer();
  const { id } = await wholeForm(customer);
  const clearable = `description form_html form_css vanity_url recipient signature_confirmation_label type
    subscription_list_id`.split(/\s+/);
  for (const name of clearable) {
    assert.notEqual((await readForm(app, customer, id))[name], null);
    await changeForm(app, customer, id, { [name]: '' });
    assert.equal((await readForm(app, customer, id))[name], null, name);
  }
  for (const name of ['title', 'form_json'])
    assertRefuses(await askForm(app, customer, `PUT ${id}`, { [name]: '' }), 400, name);
  assertRefuses(await askForm(app, customer, `PUT ${id}`, { title: ' \t' }), 400, 'title');
});

test('a change of the definition is another version, a change of anything else is not', async () => {
  const customer = await app.createCustomer();
  const { id, fields } = await wholeForm(customer);
  const other: Record<string, unknown> = {
    title: 'Other',
    description: '',
    vanity_url: `next-${customer.id}`,
    active: false,
    recipient: '',
    type: '',
    subscription_list_id: '',
  };
  for (const [name, value] of Object.entries(other)) {
    await changeForm(app, customer, id, { [name]: value });
    assert.equal(await versionOf(customer, id), 1, name);
  }
  const definition: [change: object, version: number][] = [
    [{ form_json: fields.form_json, form_html: fields.form_html, form_css: fields.form_css }, 1],
    [{ signable: fields.signable, signature_confirmation_label: fields.signature_confirmation_label }, 1],
    [{ form_json: { fields: [{ name: 'b' }] } }, 2],
    [{ form_html: '<form>2</form>' }, 3],
    [{ form_css: '' }, 4],
    [{ form_css: '' }, 4],
    [{ signable: false }, 5],
    [{ signable: 'no' }, 5],
    [{ signature_confirmation_label: 'So do I' }, 6],
    [{ form_json: {}, form_html: '', form_css: 'p {}', signable: true, title: 'All at once' }, 7],
    [{ form_json: { a: 1, b: 2 } }, 8],
    [{ form_json: { b: 2, a: 1 } }, 9],
  ];
  for (const [change, version] of definition) {
    await changeForm(app, customer, id, change);
    assert.equal(await versionOf(customer, id), version, JSON.stringify(change));
  }
  for (const call of [`POST ${id}/archive`, `POST ${id}/unarchive`]) {
    await askForm(app, customer, call);
    assert.equal(await versionOf(customer, id), 9, call);
  }
  assert.deepEqual(
    (await versionsOf(id)).map(({ version }) => version),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
});

test('every version is kept as it was, whatever becomes of the form', async () => {
  const customer = await app.createCustomer();
  const { id, fields } = await wholeForm(customer);
  const { form_html, form_json, form_css, signable, signature_confirmation_label } = fields;
  const first = {
    form_id: id,
    version: 1,
    customer_id: customer.id,
    form_html,
    form_json,
    form_css,
    signable,
    signature_confirmation_label,
    created_at: clock.now(),
  };
  assert.deepEqual(await versionsOf(id), [first]);
  clock.advance(1000);
  await changeForm(app, customer, id, { form_css: 'b {}', title: 'Other' });
  const second = { ...first, version: 2, form_css: 'b {}', created_at: clock.now() };
  assert.deepEqual(await versionsOf(id), [first, second]);
  clock.advance(1000);
  await changeForm(app, customer, id, { form_css: form_css });
  await askForm(app, customer, `POST ${id}/archive`);
  await askForm(app, customer, `DELETE ${id}`);
  const third = { ...first, version: 3, created_at: clock.now() };
  assert.deepEqual(await versionsOf(id), [first, second, third]);
});

test('the product itself can neither change nor delete a version, nor write one twice', async () => {
  const customer = await app.createCustomer();
  const { id } = await wholeForm(customer);
  const written = await versionsOf(id);
  const { db } = app.installation;
  const denied = { code: '42501' };
  await assert.rejects(
    db.tenant([customer.id], (tx) =>
      tx.updateTable('form_versions').set({ form_css: 'x' }).where('form_id', '=', id).execute(),
    ),
    denied,
  );
  await assert.rejects(
    db.tenant([customer.id], (tx) => tx.deleteFrom('form_versions').where('form_id', '=', id).execute()),
    denied,
  );
  const again = { ...written[0], form_json: null };
  await assert.rejects(
    db.tenant([customer.id], (tx) => tx.insertInto('form_versions').values(again).execute()),
    { code: '23505' },
  );
  assert.deepEqual(await versionsOf(id), written);
});

test('a change made on a version that is no longer current is a conflict and changes nothing', async () => {
  const customer = await app.createCustomer();
  const { id } = await wholeForm(customer);
  await changeForm(app, customer, id, { form_css: 'b {}', version: 1 });
  await changeForm(app, customer, id, { title: 'Second', version: '2' });
  await changeForm(app, customer, id, { title: 'Third', version: 2 });
  const current = await readForm(app, customer, id);
  assert.deepEqual([current.version, current.title], [2, 'Third']);
  clock.advance(1000);
  for (const version of [1, '1', 3, 2 ** 31 - 1]) {
    const change = { title: 'Lost', form_css: 'i {}', version };
    assertRefuses(await askForm(app, customer, `PUT ${id}`, change), 409, 'version');
  }
  for (const version of [-1, 1.5, 'x', '', 2 ** 31, {}]) {
    assertRefuses(await askForm(app, customer, `PUT ${id}`, { version }), 400, 'version', JSON.stringify(version));
  }
  assert.deepEqual(await readForm(app, customer, id), current);
  assert.equal((await versionsOf(id)).length, 2);
});

test('of twenty changes made at once on the same version, exactly one wins', async () => {
  const customer = await app.createCustomer();
  const { id } = await wholeForm(customer);
  for (const version of [1, 2, 3]) {
    const change = (index: number) => ({ form_css: `p { top: ${version}-${index} }`, version });
    const asked = Array.from({ length: 20 }, (_, index) => askForm(app, customer, `PUT ${id}`, change(index)));
    const replies = await Promise.all(asked);
    assert.deepEqual(tally(replies), { 200: 1, 409: 19 });
    const { form_css: css, version: now } = await readForm(app, customer, id);
    assert.equal(now, version + 1);
    assert.equal(css, change(replies.findIndex(({ status }) => status === 200)).form_css);
  }
});

test('of changes made at once without a version, every one becomes a version and none is lost', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  const styles = Array.from({ length: 20 }, (_, index) => `p { top: ${index} }`);
  const replies = await Promise.all(styles.map((css) => askForm(app, customer, `PUT ${id}`, { form_css: css })));
  assert.deepEqual(tally(replies), { 200: 20 });
  const versions = await versionsOf(id);
  assert.deepEqual(
    versions.map(({ version }) => version),
    Array.from({ length: 21 }, (_, index) => index + 1),
  );
  assert.deepEqual(new Set(versions.slice(1).map((each) => each.form_css)), new Set(styles));
  assert.equal((await readForm(app, customer, id)).form_css, versions.at(-1).form_css);
});

test('changes of different fields at once are all there afterwards', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  const changes = { title: 'T', description: 'D', form_html: 'H', form_css: 'C', type: 'Y', active: true };
  const asked = Object.entries(changes).map(([name, value]) => askForm(app, customer, `PUT ${id}`, { [name]: value }));
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
  const form = await readForm(app, customer, id);
  assert.deepEqual(Object.fromEntries(Object.keys(changes).map((name) => [name, form[name]])), changes);
  assert.equal(form.version, 3);
});

test('no form is 404, a deleted one too, and somebody else’s is 403', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const id = await makeForm(app, customer);
  assertRefuses(await askForm(app, stranger, `PUT ${id}`, { title: 'Mine' }), 403);
  for (const wrong of [randomUUID(), 'x', '1', '%00', id.slice(1)]) {
    assertRefuses(await askForm(app, customer, `PUT ${wrong}`, { title: 'New' }), 404, undefined, wrong);
  }
  assert.equal((await readForm(app, customer, id)).title, 'Intake');
  await askForm(app, customer, `DELETE ${id}`);
  assertRefuses(await askForm(app, customer, `PUT ${id}`, { title: 'New', active: true }), 404);
  assertRefuses(await askForm(app, stranger, `PUT ${id}`, { title: 'Mine' }), 403);
  const [row] = await rowsOf(app, 'select title, active, deleted from forms where id = $1', [id]);
  assert.deepEqual(row, { title: 'Intake', active: false, deleted: true });
});
