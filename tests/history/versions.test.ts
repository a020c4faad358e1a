import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { askForm, assertRefuses, changeForm, FORMS, makeForm } from '../forms/form-requests.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';

let app: TestApp;
let customer: TestCustomer;
let id: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  id = await makeForm(app, customer, { form_json: FIRST, form_css: 'p { color: red }' });
  await changeForm(app, customer, id, { form_json: SECOND });
  await changeForm(app, customer, id, { form_json: SECOND, form_css: '', signable: true });
});

const FIRST = { fields: [{ id: 'n', name: 'name', label: 'Name', type: 'text' }] };
const SECOND = { fields: [...FIRST.fields, { id: 'm', name: 'mail', label: 'Email', type: 'email' }] };

test('the versions of a form are listed, the newest first, each with what changed', async () => {
  const { body } = await askForm(app, customer, `GET ${id}/versions`);
  assert.deepEqual(
    body.data.map(({ version, changes }: { version: number; changes: string }) => [version, changes]),
    [
      [3, '2 changes: 1 in the layout, 1 in the signature.'],
      [2, 'The question "Email" was added behind the question "Name".'],
      [1, 'The first version.'],
    ],
  );
  for (const { hash, created_at } of body.data) {
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  }
  assert.deepEqual([body.total, body.page, body.items], [3, 1, 50]);
});

test('the list goes by pages, and what changed is told across them', async () => {
  const { body } = await askForm(app, customer, `GET ${id}/versions?items=1&page=2`);
  assert.deepEqual(body.data.length, 1);
  assert.equal(body.data[0].changes, 'The question "Email" was added behind the question "Name".');
  assert.deepEqual([body.total, body.page, body.items], [3, 2, 1]);
  assert.deepEqual((await askForm(app, customer, `GET ${id}/versions?page=9`)).body.data, []);
});

test('a version is read as it was written', async () => {
  const { body } = await askForm(app, customer, `GET ${id}/versions/1`);
  assert.deepEqual(body.data.form_json, FIRST);
  assert.equal(body.data.form_css, 'p { color: red }');
  assert.equal(body.data.signable, false);
  assertRefuses(await askForm(app, customer, `GET ${id}/versions/4`), 404);
  for (const wrong of ['0', 'x', '-1', '1.5', '2147483648']) {
    assertRefuses(await askForm(app, customer, `GET ${id}/versions/${wrong}`), 400, 'version');
  }
  assert.equal((await askForm(app, customer, `GET ${id}/versions/2147483647`)).status, 404);
});

test('two versions are compared, in either direction and in words', async () => {
  const { body } = await askForm(app, customer, `GET ${id}/versions/diff?from=1&to=2`);
  assert.deepEqual(body, {
    from: 1,
    to: 2,
    changes: [
      {
        change: 'added',
        item: 'm',
        label: 'Email',
        sentence: 'The question "Email" was added behind the question "Name".',
        before: null,
        after: 'Email',
      },
    ],
  });
  const back = await askForm(app, customer, `GET ${id}/versions/diff?from=2&to=1`);
  assert.equal(back.body.changes[0].sentence, 'The question "Email" was removed.');
  assert.deepEqual((await askForm(app, customer, `GET ${id}/versions/diff?from=2&to=2`)).body.changes, []);
});

test('the same comes as plain text for whoever asks for that', async () => {
  const path = `${FORMS}/${id}/versions/diff?from=1&to=3`;
  const reply = await app.request('GET', path, { key: customer.key, headers: { accept: 'text/plain' } });
  assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(
    reply.text,
    'The question "Email" was added behind the question "Name".\nThe CSS of the layout was removed.\nThe form is signed now.\n',
  );
  const json = await app.request('GET', path, {
    key: customer.key,
    headers: { accept: 'application/json, text/plain' },
  });
  assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
});

test('a comparison needs two versions that there are', async () => {
  assertRefuses(await askForm(app, customer, `GET ${id}/versions/diff?to=2`), 400, 'from');
  assertRefuses(await askForm(app, customer, `GET ${id}/versions/diff?from=1`), 400, 'to');
  assertRefuses(await askForm(app, customer, `GET ${id}/versions/diff?from=1&to=two`), 400, 'to');
  assertRefuses(await askForm(app, customer, `GET ${id}/versions/diff?from=1&to=9`), 404);
});
