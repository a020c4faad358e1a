import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { RESEAL } from '../../src/jobs.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { createHook, startReceiver } from '../support/webhook-receiver.ts';
import { attachmentPath, base64, blobBytes, download, readBack, submitted } from './submitting.ts';

const TABLES = [
  'submissions',
  'submission_keys',
  'submission_files',
  'blobs',
  'audit_log',
  'idempotency_keys',
  'messages',
  'message_contents',
  'message_recipients',
  'webhook_deliveries',
  'webhook_attempts',
  'rate_counts',
  'graphile_worker._private_jobs',
];

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
});

/** Every way in which a word could stand in a dump: as it is, as hex, and as base64 at each alignment. */
function traces(word: string): string[] {
  const aligned = [0, 1, 2].map((pad) => base64(`${'x'.repeat(pad)}${word}`).slice(pad === 0 ? 0 : 4, -4));
  return [word, Buffer.from(word).toString('hex'), ...aligned];
}

test('nothing of a submission can be read in the tables, the queue, the files or the log', async (t) => {
  const receiver = await startReceiver(t);
  await createHook(app, customer.key, { url: receiver.url, events: ['forms.submission.created'] });
  const fields = [
    { type: 'text', name: 'answer' },
    { type: 'email', name: 'mail' },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields }, recipient: 'desk@example.com' });
  const words: Record<string, string> = {};
  const plant = (what: string) => (words[what] = `mk${randomBytes(12).toString('hex')}`);
  const large = `${plant('large file')} `.repeat(20_000);
  const body = {
    form_data: {
      answer: plant('answer'),
      mail: `${plant('submitter')}@example.com`,
      [plant('unasked key')]: { deep: [plant('unasked answer')] },
    },
    attachments: [
      { name: `${plant('file name')}.txt`, content: base64(`${plant('file')} as it is`) },
      { name: 'large.txt', content: base64(large) },
    ],
    signature: { confirmed: true, name: plant('signer') },
  };
  const id = await submitted(app, formId, body, { 'idempotency-key': plant('idempotency key') });
  await receiver.atLeast(1);
  await eventually(async () => {
    const { body: inbox } = await app.request('GET', '/v1/email/sandbox/messages', { key: customer.key });
    return inbox.data.length > 0;
  });
  const read = await readBack(app, customer, formId, id);
  assert.ok(JSON.stringify(read).includes(words.signer as string), 'who may read it can');
  const dump = await asOwner(app, async (client) => {
    const found: string[] = [];
    for (const table of TABLES) {
      for (const { row } of (await client.query(`select t::text as row from ${table} t`)).rows) found.push(row);
    }
    return found.join('\n');
  });
  assert.ok(dump.includes(id) && dump.includes(formId), 'the search finds what is not sealed');
  const files = blobBytes(app);
  assert.equal(files.length, 2);
  for (const [what, word] of Object.entries(words)) {
    for (const trace of traces(word)) {
      assert.ok(!dump.includes(trace), `${what} stands in the database`);
      assert.ok(!files.some((bytes) => bytes.includes(trace)), `${what} stands in a file`);
      assert.ok(!app.logged().includes(trace), `${what} stands in the log`);
    }
  }
});

test('submissions and their files stay readable when the keys of their customer are changed', async (t) => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const bytes = randomBytes(40_000);
  const sent = { form_data: { email: 'ann@example.com' }, attachments: [{ name: 'a.bin', content: base64(bytes) }] };
  const id = await submitted(app, formId, sent, { 'idempotency-key': 'once' });
  const told = await readBack(app, customer, formId, id);
  const sealed = () =>
    asOwner(app, async (client) => {
      const { rows } = await client.query(
        `select encode(k.key, 'hex') as key, encode(b.file_key, 'hex') as file_key, encode(s.sealed, 'hex') as sealed
         from submissions s join submission_keys k on k.submission_id = s.id
         join submission_files f on f.submission_id = s.id join blobs b on b.id = f.blob_id where s.id = $1`,
        [id],
      );
      return rows[0] as { key: string; file_key: string; sealed: string };
    });
  const first = await sealed();
  const { installation } = app;
  const workerDb = openDatabase(installation, 'worker', 1);
  t.after(() => workerDb.close());
  await installation.vault.rotate(customer.id);
  clock.advance(24 * 3600_000 - 60_000);
  for (const each of [0, customer.id]) installation.vault.forget(each);
  const { [RESEAL]: reseal } = await createTestTasks(installation, workerDb);
  await reseal?.({ customerId: customer.id });
  const second = await sealed();
  assert.notEqual(second.key, first.key);
  assert.notEqual(second.file_key, first.file_key);
  assert.equal(second.sealed, first.sealed, 'what a submission holds is not written again');
  assert.deepEqual(await readBack(app, customer, formId, id), told);
  const path = attachmentPath(formId, id, told.attachments[0].id);
  assert.ok((await download(app, customer, path)).bytes.equals(bytes));
  const { body } = await app.request('GET', `/api/forms/${formId}/submissions?submitter_email=ANN@example.com`, {
    key: customer.key,
  });
  assert.equal(body.total, 1, 'and are still found by their address');
  assert.equal(await submitted(app, formId, sent, { 'idempotency-key': 'once' }), id);
});
