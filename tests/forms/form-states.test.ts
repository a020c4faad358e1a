import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { askForm, assertRefuses, changeForm, makeForm, makeList, readForm, rowsOf } from './form-requests.ts';

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

/** What a form is after each of these calls, which have to answer with exactly this. */
async function assertDetail(customer: TestCustomer, call: string, detail: string): Promise<void> {
  const { status, body } = await askForm(app, customer, call);
  assert.equal(status, 200, call);
  assert.deepEqual(body, { detail }, call);
}

test('archiving closes a form, and unarchiving does not open it again', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, { active: true, form_css: 'p {}', vanity_url: `kept-${customer.id}` });
  const made = await readForm(app, customer, id);
  for (const [call, detail, archived] of [
    ['archive', 'Form archived.', true],
    ['archive', 'Form archived.', true],
    ['unarchive', 'Form unarchived.', false],
    ['unarchive', 'Form unarchived.', false],
  ] as const) {
    clock.advance(1000);
    await assertDetail(customer, `POST ${id}/${call}`, detail);
    const expected = { ...made, active: false, archived, updated_at: clock.now().toISOString() };
    assert.deepEqual(await readForm(app, customer, id), expected);
  }
  await changeForm(app, customer, id, { active: true });
  await assertDetail(customer, `POST ${id}/unarchive`, 'Form unarchived.');
  assert.equal((await readForm(app, customer, id)).active, true, 'what is not archived stays as it is');
});

test('calls without a body take whatever body is sent', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  const json = { 'content-type': 'application/json' };
  for (const sent of [
    {},
    { raw: '{}', headers: json },
    { raw: 'null', headers: json },
    { raw: '', headers: json },
    { raw: '{', headers: json },
    { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ]) {
    for (const call of ['archive', 'unarchive']) {
      const path = `/api/forms/${id}/${call}`;
      const { status } = await app.request('POST', path, { key: customer.key, ...sent });
      assert.equal(status, 200, JSON.stringify(sent));
    }
  }
});

test('a deleted form is gone for its customer, while its row stays', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer, { active: true, form_css: 'p {}' });
  clock.advance(1000);
  await assertDetail(customer, `DELETE ${id}`, 'Form deleted.');
  const [row] = await rowsOf(app, 'select deleted, active, form_css, updated_at from forms where id = $1', [id]);
  assert.deepEqual(row, { deleted: true, active: true, form_css: 'p {}', updated_at: clock.now() });
  const calls = [`GET ${id}`, `DELETE ${id}`, `POST ${id}/archive`, `POST ${id}/unarchive`];
  for (const call of calls) assertRefuses(await askForm(app, customer, call), 404, undefined, call);
  assertRefuses(await askForm(app, customer, 'POST copy', { form_id: id, title: 'Copy' }), 404);
});

test('no form’s id is 404 and somebody else’s 403, whatever is to happen to the form', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const id = await makeForm(app, customer, { active: true });
  const untouched = await readForm(app, customer, id);
  for (const [method, rest] of [
    ['POST', '/archive'],
    ['POST', '/unarchive'],
    ['DELETE', ''],
  ] as const) {
    for (const spelling of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
      assertRefuses(await askForm(app, stranger, `${method} ${spelling}${rest}`), 403);
    }
    for (const wrong of [randomUUID(), 'x', '1', '%00', id.slice(1)]) {
      assertRefuses(await askForm(app, customer, `${method} ${wrong}${rest}`), 404, undefined, wrong);
    }
  }
  assert.deepEqual(await readForm(app, customer, id), untouched);
});

test('a copy is a new form: closed, empty, without the address, and a first version', async () => {
  const customer = await app.createCustomer();
  const fields = {
    description: 'First visit',
    form_html: '<form></form>',
    form_json: { b: [1], a: { '': null } },
    form_css: 'p {}',
    recipient: 'a@example.com,b@example.com',
    signable: true,
    signature_confirmation_label: 'I agree',
    type: 'marketing_form',
    subscription_list_id: String(await makeList(app, customer)),
  };
  const past = { active: true, vanity_url: `past-${customer.id}`, version: 5, old_form_id: 4 };
  const source = await makeForm(app, customer, { ...fields, ...past });
  await app.request('POST', `/api/forms/${source}/submissions`, {
    body: { form_data: {}, signature: { confirmed: true, name: 'Ann' } },
  });
  const original = await readForm(app, customer, source);
  assert.equal(original.submission_count, 1);
  clock.advance(1000);
  for (const spelling of [source, source.toUpperCase(), source.replaceAll('-', '')]) {
    const { status, body } = await askForm(app, customer, 'POST copy', { form_id: spelling, title: 'A copy' });
    assert.equal(status, 200);
    const now = clock.now().toISOString();
    const { id, ...rest } = body;
    assert.notEqual(id, source);
    assert.deepEqual(rest, {
      ...fields,
      title: 'A copy',
      vanity_url: null,
      version: 1,
      active: false,
      customer_id: customer.id,
      old_form_id: null,
      submission_count: 0,
      deleted: false,
      archived: false,
      created_at: now,
      updated_at: now,
    });
    assert.equal(JSON.stringify(body.form_json), JSON.stringify(fields.form_json));
    assert.deepEqual(await readForm(app, customer, id), body);
    const versions = await rowsOf(app, 'select version, form_css from form_versions where form_id = $1', [id]);
    assert.deepEqual(versions, [{ version: 1, form_css: 'p {}' }]);
    await changeForm(app, customer, id, { form_css: 'b {}', title: 'Changed' });
  }
  assert.deepEqual(await readForm(app, customer, source), original);
  await askForm(app, customer, `POST ${source}/archive`);
  const ofArchived = await askForm(app, customer, 'POST copy', { form_id: source, title: 'A copy' });
  assert.deepEqual([ofArchived.status, ofArchived.body.archived], [200, false]);
});

test('a copy stands open as its form does, and is encrypted to the same keys', async () => {
  const customer = await app.createCustomer();
  const source = await makeForm(app, customer, { active: true });
  const settings = {
    closes_at: '2040-01-01T00:00:00.000Z',
    most_submissions: 3,
    single_use: true,
    frame_origins: ['https://clinic.example'],
    resumable: true,
    proof_of_work: 'enforce',
    traps: 'off',
    sealed_to: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
  };
  const set = await askForm(app, customer, `PUT ${source}/page`, { ...settings, password: 'open sesame please' });
  assert.equal(set.status, 200, set.text);
  const { body: copy } = await askForm(app, customer, 'POST copy', { form_id: source, title: 'A copy' });
  const { body: page } = await askForm(app, customer, `GET ${copy.id}/page`);
  assert.deepEqual(page, set.body);
  assert.deepEqual(page, { ...page, ...settings });
  const hashes = await rowsOf(app, 'select distinct password_hash from form_pages where form_id in ($1, $2)', [
    source,
    copy.id,
  ]);
  assert.equal(hashes.length, 1);
  await askForm(app, customer, `PUT ${copy.id}/page`, { most_submissions: 4 });
  assert.deepEqual((await askForm(app, customer, `GET ${source}/page`)).body, set.body);
});

test('a copy needs a title and a form of one’s own', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const id = await makeForm(app, customer);
  const foreign = await makeForm(app, stranger);
  const ask = (body: object) => askForm(app, customer, 'POST copy', body);
  for (const title of [undefined, null, '', ' \n', 5, {}, 'x'.repeat(501)]) {
    assertRefuses(await ask({ form_id: id, title }), 400, 'title', JSON.stringify(title));
  }
  for (const wrong of [undefined, null, '', ' ', 5, {}]) {
    assertRefuses(await ask({ form_id: wrong, title: 'Copy' }), 400, 'form_id', JSON.stringify(wrong));
  }
  assert.equal((await ask({ form_id: id, title: 'é'.repeat(500) })).status, 200);
  for (const wrong of [randomUUID(), 'x', '1', `${id}0`]) assertRefuses(await ask({ form_id: wrong, title: 'C' }), 404);
  for (const spelling of [foreign, foreign.toUpperCase()])
    assertRefuses(await ask({ form_id: spelling, title: 'Copy' }), 403);
  const [{ count }] = await rowsOf(app, 'select count(*)::int from forms where customer_id = any($1)', [
    [customer.id, stranger.id],
  ]);
  assert.equal(count, 3);
});

test('submissions are kept for ever, until a number of days is set', async () => {
  const customer = await app.createCustomer();
  const id = await makeForm(app, customer);
  const other = await makeForm(app, customer);
  const read = async (form = id) => {
    const { status, body } = await askForm(app, customer, `GET ${form}/retention`);
    assert.equal(status, 200);
    return body;
  };
  assert.deepEqual(await read(), { retention_days: null });
  for (const days of [1, 2, 36_499, 36_500, null, 30]) {
    const { status, body } = await askForm(app, customer, `PUT ${id}/retention`, { retention_days: days, more: 1 });
    assert.equal(status, 200, `${days}`);
    assert.deepEqual(body, { retention_days: days });
    assert.deepEqual(await read(), { retention_days: days });
  }
  for (const wrong of [0, -1, 36_501, 2 ** 31, 1e300, 1.5, '30', '', true, [], {}, undefined]) {
    const reply = await askForm(app, customer, `PUT ${id}/retention`, { retention_days: wrong });
    assertRefuses(reply, 400, 'retention_days', JSON.stringify(wrong));
  }
  assert.deepEqual(await read(), { retention_days: 30 });
  assert.deepEqual(await read(other), { retention_days: null });
  assert.equal('retention_days' in (await readForm(app, customer, id)), false, 'a Form has the fields it was given');
});

test('a copy keeps its submissions for as long as its form does', async () => {
  const customer = await app.createCustomer();
  const source = await makeForm(app, customer);
  for (const retention_days of [30, null]) {
    await askForm(app, customer, `PUT ${source}/retention`, { retention_days });
    const { body: copy } = await askForm(app, customer, 'POST copy', { form_id: source, title: 'A copy' });
    assert.deepEqual((await askForm(app, customer, `GET ${copy.id}/retention`)).body, { retention_days });
  }
});

test('the retention of no form, of a deleted one and of somebody else’s is neither told nor set', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const id = await makeForm(app, customer);
  const ask = async (asker: typeof customer, form: string, status: number) => {
    assertRefuses(await askForm(app, asker, `GET ${form}/retention`), status, undefined, form);
    const reply = await askForm(app, asker, `PUT ${form}/retention`, { retention_days: 1 });
    assertRefuses(reply, status, undefined, form);
  };
  for (const wrong of [randomUUID(), 'x', '1', '%00']) await ask(customer, wrong, 404);
  await ask(stranger, id, 403);
  await askForm(app, customer, `DELETE ${id}`);
  await ask(customer, id, 404);
  const [row] = await rowsOf(app, 'select retention_days from forms where id = $1', [id]);
  assert.deepEqual(row, { retention_days: null });
});
