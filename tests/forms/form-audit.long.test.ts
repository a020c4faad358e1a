import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { askForm, FORMS, makeForm, postForm, rowsOf } from './form-requests.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

const MARK = 'zq7canary';

const auditOf = ({ id }: TestCustomer) =>
  rowsOf(app, `select * from audit_log where customer_id = $1 and action like 'form.%' order by id`, [id]);

test('every change leaves one audit entry that names the action, the form and who did it, but no words of the form', async () => {
  const customer = await app.createCustomer();
  const form = {
    title: `Title ${MARK}`,
    description: `Description ${MARK}`,
    form_html: MARK,
    form_css: MARK,
    form_json: { [MARK]: MARK },
    recipient: `${MARK}@example.com`,
    signature_confirmation_label: MARK,
    type: MARK,
    vanity_url: `${MARK}-1`,
  };
  const id = await makeForm(app, customer, form);
  const copied = `Copied ${MARK}`;
  const steps: [action: string, call: string, body?: object][] = [
    ['form.updated', `PUT ${id.toUpperCase()}`, { ...form, title: `Changed ${MARK}`, form_css: `${MARK} 2` }],
    ['form.updated', `PUT ${id}`, {}],
    ['form.archived', `POST ${id}/archive`],
    ['form.archived', `POST ${id}/archive`],
    ['form.unarchived', `POST ${id.replaceAll('-', '')}/unarchive`],
    ['form.retention-set', `PUT ${id}/retention`, { retention_days: 30 }],
    ['form.retention-set', `PUT ${id}/retention`, { retention_days: null }],
    ['form.copied', 'POST copy', { form_id: id, title: copied }],
    ['form.deleted', `DELETE ${id}`],
  ];
  const expected = [{ action: 'form.created', target: id }];
  for (const [action, call, body] of steps) {
    const reply = await askForm(app, customer, call, body);
    assert.equal(reply.status, 200, call);
    expected.push({ action, target: action === 'form.copied' ? reply.body.id : id });
    const rows = await auditOf(customer);
    assert.equal(rows.at(-1).request_id, reply.headers.get('x-request-id'), call);
    assert.deepEqual(
      rows.map((row) => ({ action: row.action, target: row.target })),
      expected,
    );
  }
  const rows = await auditOf(customer);
  for (const row of rows) assert.deepEqual([row.actor_kind, row.actor_id], ['key', customer.keyId]);
  assert.ok(!JSON.stringify(rows).includes(MARK));
  assert.ok(!app.logged().includes(MARK), 'nor does the log');
  const { details } = rows[1];
  assert.equal(details.version, 2);
  assert.deepEqual(details.changed.toSorted(), Object.keys(form).toSorted());
});

test('what is refused, replayed or only read leaves no entry', async () => {
  const [customer, stranger] = [await app.createCustomer(), await app.createCustomer()];
  const once = { 'idempotency-key': 'once' };
  const { id } = (await postForm(app, customer, {}, once)).body;
  const foreign = await makeForm(app, stranger, { vanity_url: `${MARK}-2` });
  assert.equal((await postForm(app, customer, {}, once)).headers.get('idempotency-replayed'), 'true');
  const refused: [status: number, call: string, body?: object][] = [
    [409, `PUT ${id}`, { version: 2 }],
    [409, `PUT ${id}`, { vanity_url: `${MARK}-2` }],
    [400, `PUT ${id}`, { title: ' ' }],
    [403, `PUT ${foreign}`, { title: 'Mine' }],
    [403, `POST ${foreign}/archive`],
    [403, `DELETE ${foreign}`],
    [403, 'POST copy', { form_id: foreign, title: 'Mine' }],
    [400, `PUT ${id}/retention`, { retention_days: 0 }],
    [404, 'DELETE x'],
  ];
  for (const [status, call, body] of refused) {
    assert.equal((await askForm(app, customer, call, body)).status, status, call);
  }
  for (const call of [`GET ${id}`, `GET ${id}/retention`, 'GET stats', `GET ?customer_id=${customer.id}`]) {
    assert.equal((await askForm(app, customer, call)).status, 200, call);
  }
  assert.equal((await app.request('GET', `${FORMS}/${id}`)).status, 401);
  for (const who of [customer, stranger]) {
    assert.deepEqual(
      (await auditOf(who)).map(({ action }) => action),
      ['form.created'],
    );
  }
});
