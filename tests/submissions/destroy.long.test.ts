import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import {
  attachmentPath,
  auditOf,
  base64,
  blobFiles,
  download,
  growth,
  kept,
  readBack,
  submitted,
} from './submitting.ts';

const DAY = 24 * 3600_000;

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const BODY = {
  form_data: { email: 'ann@example.com', a: 'x' },
  attachments: [
    { name: 'a.txt', content: base64('one') },
    { name: 'b.txt', content: base64('two') },
  ],
};

const base = (formId: string) => `/v1/forms/api/forms/${formId}/submissions`;

function destroy(formId: string, id: string, { key } = customer) {
  return app.request('DELETE', `${base(formId)}/${id}`, { key });
}

async function rowsOf(id: string): Promise<number[]> {
  return asOwner(app, async (client) => {
    const counts = [
      'submissions where id',
      'submission_keys where submission_id',
      'submission_files where submission_id',
    ];
    const found: number[] = [];
    for (const each of counts) found.push((await client.query(`select from ${each} = $1`, [id])).rowCount ?? 0);
    return found;
  });
}

/** How many rows each of these has left. */
async function left(ids: string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await rowsOf(id)).join()));
}

async function countOf(formId: string): Promise<number> {
  const { body } = await app.request('GET', `/api/forms/${formId}`, { key: customer.key });
  return body.data.submission_count;
}

test('a submission that is destroyed is gone from everywhere, with its key and its files', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const first = await kept(app);
  const id = await submitted(app, formId, BODY);
  const { attachments } = await readBack(app, customer, formId, id);
  clock.advance(10);
  const stays = await submitted(app, formId, BODY);
  assert.deepEqual(await rowsOf(id), [1, 1, 2]);
  const reply = await destroy(formId, id);
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.body, { detail: 'Submission deleted.' });
  assert.deepEqual(await rowsOf(id), [0, 0, 0]);
  assert.deepEqual(await rowsOf(stays), [1, 1, 2]);
  const files = attachments.map((file: { id: string }) => file.id) as string[];
  assert.ok(files.every((file) => !blobFiles(app).some((name) => name.endsWith(file))));
  const remaining = { submissions: 1, keys: 1, files: 2, blobs: 2, counted: 1, audited: 2, onDisk: 2 };
  assert.deepEqual(growth(first, await kept(app)), remaining);
  assert.equal(await countOf(formId), 1);
  const { body: listed } = await app.request('GET', base(formId), { key: customer.key });
  assert.equal(listed.total, 1);
  assert.deepEqual(
    listed.data.map((each: { id: string }) => each.id),
    [stays],
  );
  const { bytes } = await download(app, customer, `${base(formId)}/submission-csv`);
  assert.equal(bytes.toString().trim().split('\r\n').length, 2);
  for (const path of [
    `${base(formId)}/${id}`,
    `${base(formId)}/submission-csv/${id}`,
    `${base(formId)}/${id}/submission-pdf`,
    attachmentPath(formId, id, files[0] as string),
  ]) {
    assert.equal((await app.request('GET', path, { key: customer.key })).status, 404, path);
  }
  assert.equal((await destroy(formId, id)).status, 404);
  assert.equal(await countOf(formId), 1);
  const log = await auditOf(app, customer, ['submission.destroyed']);
  assert.deepEqual(
    log.map(({ actor_kind, target, details }) => [actor_kind, target, details]),
    [['key', id, { form: formId, files: 2, certificate: log[0]?.details.certificate }]],
  );
});

test('of two who destroy at once, the count falls by one', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  await submitted(app, formId, BODY);
  const id = await submitted(app, formId, BODY);
  const replies = await Promise.all([destroy(formId, id), destroy(formId, id), destroy(formId, id)]);
  assert.ok(replies.some(({ status }) => status === 200));
  assert.ok(replies.every(({ status }) => status === 200 || status === 404));
  assert.equal(await countOf(formId), 1);
  assert.equal(
    (await auditOf(app, customer, ['submission.destroyed'])).filter(({ target }) => target === id).length,
    1,
  );
});

test('a submission is not destroyed under another form', async () => {
  const [formId, other] = [await addForm(app, customer.id), await addForm(app, customer.id)];
  const id = await submitted(app, formId, BODY);
  assert.equal((await destroy(other, id)).status, 404);
  assert.deepEqual(await rowsOf(id), [1, 1, 2]);
});

test('what a form keeps for some days is destroyed after them, and nothing else', async (t) => {
  const db = openDatabase(app.installation, 'worker', 1);
  t.after(() => db.close());
  const tasks = await createTestTasks(app.installation, db);
  const stranger = await app.createCustomer();
  const [short, long, ever, theirs] = [
    await addForm(app, customer.id, { retention_days: 10 }),
    await addForm(app, customer.id, { retention_days: 100 }),
    await addForm(app, customer.id),
    await addForm(app, stranger.id, { retention_days: 10 }),
  ] as [string, string, string, string];
  const forms = [short, long, ever, theirs];
  const old = await Promise.all(forms.map((each) => submitted(app, each, BODY)));
  /** Sweeps, and tells how many submissions it took. */
  const sweep = async () => {
    const { submissions } = await kept(app);
    await tasks['sweep.hourly']?.({});
    return submissions - (await kept(app)).submissions;
  };
  clock.advance(9 * DAY);
  const young = await Promise.all(forms.map((each) => submitted(app, each, BODY)));
  clock.advance(DAY);
  assert.equal(await sweep(), 0, 'not before the last moment is over');
  const files = blobFiles(app).length;
  clock.advance(1);
  assert.equal(await sweep(), 2);
  assert.equal(await sweep(), 0);
  assert.deepEqual(await left(old), ['0,0,0', '1,1,2', '1,1,2', '0,0,0']);
  assert.deepEqual(await left(young), ['1,1,2', '1,1,2', '1,1,2', '1,1,2']);
  assert.equal(blobFiles(app).length, files - 4);
  assert.equal(await countOf(short), 1);
  for (const [owner, id] of [
    [customer, old[0]],
    [stranger, old[3]],
  ] as const) {
    const [expired] = await auditOf(app, owner, ['submission.expired']);
    assert.deepEqual([expired?.actor_kind, expired?.target], ['worker', id]);
  }
  const path = `/api/forms/${ever}/retention`;
  const body = { retention_days: 5 };
  assert.equal((await app.request('PUT', path, { key: customer.key, body })).status, 200);
  assert.equal(await sweep(), 1, 'a shorter time holds for what is there already');
  assert.deepEqual(await left([old[2] as string, young[2] as string]), ['0,0,0', '1,1,2']);
});

test('more than one page of old submissions is destroyed at once', async (t) => {
  const db = openDatabase(app.installation, 'worker', 1);
  t.after(() => db.close());
  const tasks = await createTestTasks(app.installation, db);
  const formId = await addForm(app, customer.id, { retention_days: 1 });
  await Promise.all(Array.from({ length: 410 }, () => submitted(app, formId, { form_data: {} })));
  clock.advance(2 * DAY);
  assert.equal(await countOf(formId), 410);
  await tasks['sweep.hourly']?.({});
  assert.equal(await countOf(formId), 0);
});
