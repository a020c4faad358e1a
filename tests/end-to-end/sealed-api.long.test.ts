import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { MOST_SEALED } from '../../src/forms/end-to-end/check-sent.ts';
import { open, SUBMIT } from '../page/visitor.ts';
import { blobBytes, idOf, submit, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { addSealedForm, type Key, newKey, sealAnswers } from './sealing.ts';

let app: TestApp;
let customer: TestCustomer;
let key: Key;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  key = await newKey();
  formId = await addSealedForm(app, customer, [key], { form_json: { fields: FIELDS }, signable: true });
});

const FIELDS = [
  { name: 'name', label: 'Name', type: 'text', required: true },
  { name: 'scan', label: 'Scan', type: 'file', max_size: 1_000 },
];
const CANARY = 'ReadableCanary4711';
const NEUTRAL = `${'0123456789abcdef'.repeat(2)}.age`;

const get = (path: string) => app.request('GET', `/v1/forms/api/forms/${formId}${path}`, { key: customer.key });
const total = async () => (await get('/submissions')).body.total as number;

test('the server takes what it cannot read, and gives it back as it came', async () => {
  const sealed = await sealAnswers([key], formId, { name: CANARY });
  const reply = await submit(app, formId, { sealed, form_data: {} }, { 'idempotency-key': 'once' });
  const again = await submit(app, formId, { sealed }, { 'idempotency-key': 'once' });
  assert.deepEqual([reply.status, idOf(again)], [201, idOf(reply)], reply.text);
  const other = { sealed: await sealAnswers([key], formId, { name: CANARY }) };
  assert.equal((await submit(app, formId, other, { 'idempotency-key': 'once' })).status, 409);
  const { body } = await get(`/submissions/${idOf(reply)}`);
  const { sealed: kept, form_data: answers, submitter_email: submitter, signature } = body.data;
  assert.deepEqual([kept, answers, submitter, signature], [sealed, '{}', null, null]);
});

test('readable answers are refused at every door and kept nowhere', async () => {
  const count = await total();
  const sealed = await sealAnswers([key], formId, { name: 'Ann' });
  const file = { content: Buffer.from('x').toString('base64') };
  const refused: [number, string, object][] = [
    [403, 'sealed', { form_data: { name: CANARY } }],
    [403, 'sealed', { form_data: { name: CANARY }, sealed: null }],
    [400, 'form_data', { form_data: { name: CANARY }, sealed }],
    [400, 'signature', { signature: { confirmed: true, name: CANARY }, sealed }],
    [400, 'attachments.0.name', { sealed, attachments: [{ ...file, name: `${CANARY}.txt` }] }],
    [400, 'attachments.0.field', { sealed, attachments: [{ ...file, name: NEUTRAL, field: 'scan' }] }],
    [400, 'sealed', { sealed: 1 }],
    [400, 'sealed', { sealed: '' }],
    [400, 'sealed', { sealed: CANARY }],
    [400, 'sealed', { sealed: Buffer.from(CANARY).toString('base64') }],
  ];
  for (const [status, field, body] of refused) {
    const reply = await submit(app, formId, body);
    assert.deepEqual(
      [reply.status, Object.keys(reply.body.fields)],
      [status, [field]],
      JSON.stringify(body).slice(0, 99),
    );
    assert.ok(!reply.text.includes(CANARY));
  }
  const multipart = new FormData();
  multipart.append('name', CANARY);
  const url = `${app.url}/v1/forms/api/forms/${formId}/submissions`;
  assert.equal((await fetch(url, { method: 'POST', body: multipart })).status, 403);
  const page = await open(app, `/f/${formId}`);
  const scan = { control: 'q.scan', name: `${CANARY}.txt`, content: CANARY };
  for (const extra of [{}, { _sealed: sealed }]) {
    const again = await page.press(SUBMIT, { 'q.name': CANARY, ...extra }, [scan]);
    assert.equal(again.status, 403);
    assert.ok(!again.text.includes(CANARY));
  }
  const upload = await app.request('POST', `/f/${formId}/files`, {
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '1',
      'upload-metadata': `filename ${Buffer.from(CANARY).toString('base64')}`,
    },
  });
  assert.equal(upload.status, 400);
  assert.equal(await total(), count);
  assert.ok(!app.logged().includes(CANARY));
  assert.ok(!Buffer.concat(blobBytes(app)).includes(CANARY));
});

test('a form that is not encrypted takes no encrypted answers', async () => {
  const plain = await addForm(app, customer.id, { form_json: { fields: FIELDS } });
  const reply = await submit(app, plain, { sealed: await sealAnswers([key], plain, {}) });
  assert.deepEqual([reply.status, Object.keys(reply.body.fields)], [400, ['sealed']]);
});

test('answers have at most 4 MB, and files what any question takes', async () => {
  const header = Buffer.from(await sealAnswers([key], formId, {}), 'base64').subarray(0, 200);
  const start = header.subarray(0, header.indexOf('\n--- ') + 49);
  const ofSize = (size: number) => Buffer.concat([start, randomBytes(size - start.length)]).toString('base64');
  const statuses = [];
  for (const size of [MOST_SEALED - 1, MOST_SEALED, MOST_SEALED + 1, MOST_SEALED + 3, 2 * MOST_SEALED]) {
    statuses.push((await submit(app, formId, { sealed: ofSize(size) })).status);
  }
  assert.deepEqual(statuses, [201, 201, 413, 413, 413]);
  const sealed = await sealAnswers([key], formId, { name: 'Ann' });
  const withFile = (size: number) =>
    submit(app, formId, { sealed, attachments: [{ name: NEUTRAL, content: randomBytes(size).toString('base64') }] });
  const most = 1_000 + 1 + 64 * 1024;
  assert.deepEqual([(await withFile(most)).status, (await withFile(most + 1)).status], [201, 400]);
});

test('nobody else is to sign what only the customer can read, and no page of it is saved to go on with', async () => {
  const form_json = { fields: FIELDS, signers: [{ role: 'witness' }, { role: 'guardian', email_question: 'name' }] };
  const id = await addSealedForm(app, customer, [key], { form_json, signable: true });
  const settings = { key: customer.key, body: { resumable: true } };
  assert.equal((await app.request('PUT', `/api/forms/${id}/page`, settings)).status, 200);
  assert.ok(!(await open(app, `/f/${id}`)).text.includes('value="save"'));
  const sid = await submitted(app, id, { sealed: await sealAnswers([key], id, { name: 'ann@example.com' }) });
  const path = `/v1/forms/api/forms/${id}/submissions/${sid}`;
  const { body } = await app.request('GET', path, { key: customer.key });
  assert.equal(body.data.awaiting_signatures, 0);
  assert.deepEqual((await app.request('GET', `${path}/signers`, { key: customer.key })).body.data, []);
  const invited = { key: customer.key, body: { role: 'witness', email: 'bob@example.com' } };
  assert.equal((await app.request('POST', `${path}/signers`, invited)).status, 409);
});

test('what the server would have to read is refused, and tables say that they cannot', async () => {
  const id = await submitted(app, formId, { sealed: await sealAnswers([key], formId, { name: CANARY }) });
  const one = `/submissions/${id}`;
  const doors = ['/submission-pdf', '/certificate', '/fhir/QuestionnaireResponse', '/page'];
  for (const door of doors) assert.equal((await get(one + door)).status, 409, door);
  const amendment = { changes: { name: CANARY }, reason: 'typing error' };
  const path = `/v1/forms/api/forms/${formId}${one}/amendments`;
  assert.equal((await app.request('POST', path, { key: customer.key, body: amendment })).status, 409);
  const { text } = await get(`/submissions/submission-csv/${id}`);
  const [, row] = text.trim().split(/\r?\n/);
  assert.match(row ?? '', /^[^,]+(,\(encrypted end to end\))+$/);
  for (const table of ['submission-xlsx', 'deidentified-csv']) {
    assert.equal((await get(`/submissions/${table}`)).status, 200);
  }
});
