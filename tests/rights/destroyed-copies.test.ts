import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { openSubmission } from '../../src/forms/submissions/sealed-submission.ts';
import type { CustomerVault } from '../../src/platform/vault/vault.ts';
import { signBy } from '../signing/signing.ts';
import { base64, blobBytes, download, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';

const CANARY = 'canary-of-the-destroyed';
const SIGNER = 'guardian@example.com';

let app: TestApp;
let customer: TestCustomer;
let keys: CustomerVault;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock: createMovableClock() });
  customer = await app.createCustomer();
  keys = await app.installation.vault.of(customer.id);
  const fields = [
    { type: 'text', name: 'a' },
    { type: 'email', name: 'guardian' },
  ];
  const signers = [{ role: 'guardian', email_question: 'guardian' }];
  formId = await addForm(app, customer.id, { form_json: { fields, signers }, signable: true });
});

const ask = async (method: string, path: string, body?: object, headers = {}) => {
  const reply = await app.request(method, `/api/forms/${formId}${path}`, { key: customer.key, body, headers });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
};

type Row = Record<string, unknown>;
const rowsOf = (query: string, values: unknown[]): Promise<Row[]> =>
  asOwner(app, async (client) => (await client.query(query, values)).rows);

/** A submission by a link with answers, with a file, an amendment, a further signature and a certificate. */
async function addWhole(): Promise<string> {
  await ask('PUT', '/page', { single_use: true });
  const { data: links } = await ask('POST', '/links', { count: 1, answers: { a: CANARY } });
  const [stored] = await rowsOf('select id, answers from form_links where form_id = $1', [formId]);
  const prefilled = keys.open(placeOf('form_links', String(stored?.id), 'answers'), stored?.answers as Buffer);
  assert.ok(prefilled.includes(CANARY), 'a link that was not used keeps its answers');
  const id = await submitted(app, formId, {
    form_data: { a: CANARY, guardian: SIGNER },
    attachments: [{ name: `${CANARY}.txt`, content: base64(CANARY) }],
    signature: { confirmed: true, name: CANARY },
    gate: { link: new URL(links[0].url).pathname.split('/').at(-1) },
  });
  const amended = { changes: { a: `${CANARY} anew` }, reason: CANARY };
  await ask('POST', `/submissions/${id}/amendments`, amended, { 'idempotency-key': 'once' });
  await ask('PATCH', `/submissions/${id}/work`, { work_state: 'in_work' });
  await ask('POST', `/submissions/${id}/notes`, { text: CANARY });
  assert.equal((await signBy(app, customer, SIGNER, CANARY)).title, 'You have signed');
  const { status } = await download(app, customer, `/api/forms/${formId}/submissions/${id}/certificate`);
  assert.equal(status, 200);
  return id;
}

const placeOf = (table: string, row: string, column: string) => ({ table, row, column });

/** The tables with rows of a submission, and what names it there. */
const TABLES = {
  submissions: 'id',
  submission_amendments: 'submission_id',
  submission_signers: 'submission_id',
  submission_work: 'submission_id',
  submission_notes: 'submission_id',
  submission_signatures: 'submission_id',
  submission_files: 'submission_id',
  submission_certificates: 'submission_id',
} as const;

/** What the customer's keys open of a row, wherever it may be said to stand. */
function openedOf(table: string, row: Row): string[] {
  const ids = Object.values(row).filter((value) => typeof value === 'string');
  return Object.entries(row).flatMap(([column, value]) => {
    if (!(value instanceof Buffer)) return [];
    return ids.flatMap((id) => {
      try {
        return [keys.open(placeOf(table, id, column), value).toString()];
      } catch {
        return [];
      }
    });
  });
}

test('neither an old copy of the rows nor what is left tells anything of a destroyed submission', async () => {
  const id = await addWhole();
  const copies = new Map<string, Row[]>();
  for (const [table, column] of Object.entries(TABLES)) {
    const rows = await rowsOf(`select * from ${table} where ${column} = $1`, [id]);
    assert.ok(rows.length > 0, `${table} has a row of it`);
    copies.set(table, rows);
  }
  const [kept] = await rowsOf('select key from submission_keys where submission_id = $1', [id]);
  const sealed = copies.get('submissions')?.[0]?.sealed as Buffer;
  const ids = { customerId: customer.id, id };
  const { answers } = openSubmission(keys, ids, { sealed, key: kept?.key as Buffer });
  assert.equal(answers.a, CANARY, 'with its key it opens');
  const files = blobBytes(app);
  // As it was where somebody had used a link before links were emptied.
  const emptied = `update form_links set answers = $2 where submission_id = $1 returning id`;
  assert.equal((await rowsOf(emptied, [id, Buffer.from(CANARY)])).length, 1);

  await ask('DELETE', `/submissions/${id}`);

  for (const [table, rows] of copies) {
    for (const row of rows) {
      assert.deepEqual(openedOf(table, row), [], `the customer's keys open nothing of ${table}`);
      for (const value of Object.values(row)) {
        const bytes = value instanceof Buffer ? value : Buffer.from(JSON.stringify(value) ?? '');
        assert.equal(bytes.includes(CANARY), false, `${table} has nothing that is not sealed`);
      }
    }
  }
  assert.ok(files.every((bytes) => !bytes.includes(CANARY)));
  const blobIds = [...copies.values()].flat().flatMap((row) => ('blob_id' in row ? [row.blob_id] : []));
  assert.equal(blobIds.length, 2, 'its file and its certificate');
  assert.deepEqual(await rowsOf('select id from blobs where id = any($1)', [blobIds]), []);
  assert.deepEqual(await rowsOf('select from submission_keys where submission_id = $1', [id]), []);

  const links = await rowsOf('select answers from form_links where submission_id = $1', [id]);
  assert.deepEqual(links, [{ answers: null }]);
  const replies = await rowsOf('select * from idempotency_keys where customer_id = $1', [customer.id]);
  assert.ok(replies.length > 0);
  for (const { operation, key_hash: hash, reply } of replies) {
    const row = `${String(operation)}/${(hash as Buffer).toString('hex')}`;
    const told = keys.open(placeOf('idempotency_keys', row, 'reply'), reply as Buffer);
    assert.equal(told.includes(CANARY), false, 'no kept answer tells of it');
  }
  const body = { changes: { a: `${CANARY} anew` }, reason: CANARY };
  const path = `/api/forms/${formId}/submissions/${id}`;
  const headers = { 'idempotency-key': 'once' };
  const again = await app.request('POST', `${path}/amendments`, { key: customer.key, body, headers });
  assert.equal(again.status, 404, 'what was asked before is not answered again');

  await asOwner(app, async (client) => {
    for (const table of ['submissions', 'submission_amendments', 'submission_notes']) {
      for (const row of copies.get(table) ?? []) {
        const places = Object.keys(row).map((_, at) => `$${at + 1}`);
        const insert = `insert into ${table} (${Object.keys(row).join()}) values (${places.join()})`;
        await client.query(insert, Object.values(row));
      }
    }
  });
  for (const rest of ['', '/submission-pdf', '/amendments', '/disclosures', '/certificate', '/notes']) {
    const { status, text } = await app.request('GET', `${path}${rest}`, { key: customer.key });
    assert.equal(status, 404, rest);
    assert.doesNotMatch(text, /canary/);
  }
  const { text } = await app.request('GET', `/api/forms/${formId}/submissions/submission-csv`, { key: customer.key });
  assert.equal(text.trim().split('\r\n').length, 1, 'the header only');
});

test('what a link had filled in is gone once it was used', async () => {
  await ask('PUT', '/page', { single_use: true });
  const { data } = await ask('POST', '/links', { count: 1, answers: { a: CANARY } });
  const link = new URL(data[0].url).pathname.split('/').at(-1);
  const signature = { confirmed: true, name: 'Ann' };
  const id = await submitted(app, formId, { form_data: { a: 'x' }, signature, gate: { link } });
  assert.deepEqual(await rowsOf('select answers from form_links where submission_id = $1', [id]), [{ answers: null }]);
});
