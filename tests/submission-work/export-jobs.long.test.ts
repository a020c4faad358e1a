import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { loadSigningKey } from '../../src/accounts/index.ts';
import { resumeFormExports } from '../../src/forms/index.ts';
import { destroySubmissions } from '../../src/forms/submissions/delete.ts';
import type { SealedBlobs } from '../../src/platform/blob/sealed-blobs.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import { unzip } from '../rights/unzip.ts';
import { blobFiles, download, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { askAs } from './working.ts';

const DAY = 24 * 3600_000;
const TASK = 'forms.export';
const FORM = { fields: [{ type: 'text', name: 'name', label: 'Name' }] };

const clock = createMovableClock();
/** In which nothing moves by itself. */
let app: TestApp;
let workerDb: Database;
let tasks: Record<string, Task>;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  workerDb = openDatabase(app.installation, 'worker', 2);
  (t as TestContext).after(() => workerDb.close());
  tasks = await createTestTasks(app.installation, workerDb);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: FORM });
});

const ask = (method: string, path: string, body?: object, headers = {}) =>
  askAs(app, customer).ask(method, path, body, headers);
const take = (method: string, path: string, body?: object) => askAs(app, customer).take(method, path, body);

async function submit(name: string): Promise<string> {
  clock.advance(10);
  return submitted(app, formId, { form_data: { name } });
}

/** Asks for an export; answers its id. */
async function begin(format = 'csv'): Promise<string> {
  clock.advance(10);
  return (await take('POST', `/${formId}/export_jobs`, { format })).data.id;
}

const work = (jobId: string, by = tasks) => by[TASK]?.({ customerId: customer.id, jobId });
const read = async (jobId: string) => (await take('GET', `/export_jobs/${jobId}`)).data;
const file = (jobId: string) => download(app, customer, `/v1/forms/api/forms/export_jobs/${jobId}/file`);
const textOf = async (jobId: string) => (await file(jobId)).bytes.toString();
const disclosed = async (sid: string) => (await take('GET', `/${formId}/submissions/${sid}/disclosures`)).data;
const queued = (jobId: string) =>
  asOwner(app, async (client) => {
    const jobs = `select from graphile_worker._private_jobs where payload ->> 'jobId' = $1`;
    return (await client.query(jobs, [jobId])).rows.length;
  });

/** The side jobs of a process whose blob store waits until it is let go, with all of the file in its hands. */
async function holdingTasks() {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  const { blobs } = app.installation;
  const write: SealedBlobs['write'] = async (customerId, source) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of source) pieces.push(piece);
    tell();
    await free;
    return blobs.write(customerId, pieces);
  };
  const held = await createTestTasks({ ...app.installation, blobs: { ...blobs, write } }, workerDb);
  return { held, told, letGo };
}

test('an export is made in the background, of what had come when it was asked for', async () => {
  await submit('Ann');
  await submit('Bob');
  const id = await begin();
  await submit('too late');
  const waiting = await read(id);
  assert.deepEqual(
    [waiting.state, waiting.rows_done, waiting.file_name, waiting.kept_until],
    ['waiting', 0, null, null],
  );
  assert.deepEqual(waiting.created_by, { kind: 'key', id: customer.keyId });
  assert.equal((await file(id)).status, 409);
  assert.equal(await queued(id), 1);
  await work(id);
  const done = await read(id);
  assert.deepEqual([done.state, done.rows_done, done.rows_total, done.gone_because], ['done', 2, 2, null]);
  assert.equal(done.kept_until, new Date(clock.now().getTime() + 7 * DAY).toISOString());
  const { status, headers, bytes } = await file(id);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  const name = `Intake ${clock.now().toISOString().slice(0, 10)}.csv`;
  assert.equal(done.file_name, name);
  assert.ok(headers.get('content-disposition')?.startsWith(`attachment; filename="${name}"`));
  assert.match(bytes.toString(), /Ann[\s\S]*Bob/);
  assert.doesNotMatch(bytes.toString(), /too late/);
  const { data, total } = await take('GET', '/export_jobs');
  assert.deepEqual([total, data], [1, [done]]);
});

test('the name of a file is that of its form, and no path', async () => {
  const title = `../Intake: "${'long '.repeat(40)}`;
  formId = await addForm(app, customer.id, { form_json: FORM, title });
  const id = await begin('deidentified-csv');
  await work(id);
  const { file_name: name } = await read(id);
  assert.match(name, /^Intake_ _long [long ]+ deidentified \d{4}-\d\d-\d\d\.csv$/);
  assert.ok((await file(id)).headers.get('content-disposition')?.startsWith(`attachment; filename="${name}"`));
});

test('every format is what it says', async () => {
  const id = await submit('Ann');
  const made: Record<string, Buffer> = {};
  for (const format of ['xlsx', 'pdf-zip', 'deidentified-csv', 'fhir-bundle']) {
    const job = await begin(format);
    await work(job);
    assert.equal((await read(job)).rows_done, 1, format);
    made[format] = (await file(job)).bytes;
  }
  const sheet = unzip(made['xlsx'] as Buffer).get('xl/worksheets/sheet1.xml');
  assert.match(String(sheet), /Ann/);
  const [[name, pdf] = ['', Buffer.alloc(0)], ...more] = [...unzip(made['pdf-zip'] as Buffer)];
  assert.ok(name.endsWith(`-${id}.pdf`) && more.length === 0);
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  assert.doesNotMatch(String(made['deidentified-csv']), /Ann/);
  const bundle = JSON.parse(String(made['fhir-bundle']));
  assert.deepEqual([bundle.resourceType, bundle.type, bundle.entry.length], ['Bundle', 'collection', 1]);
  assert.equal(bundle.entry[0].resource.resourceType, 'QuestionnaireResponse');
  assert.equal(bundle.entry[0].resource.id, id);
  assert.equal((await ask('POST', `/${formId}/export_jobs`, { format: 'doc' })).status, 400);
});

const refuseToWrite: SealedBlobs['write'] = () => Promise.reject(new Error('the disk is full'));

test('three are under way at a time, and one that fails five times is given up', async () => {
  await submit('Ann');
  const failing = await begin();
  await begin();
  await begin();
  assert.equal((await ask('POST', `/${formId}/export_jobs`, { format: 'csv' })).status, 409);
  const { blobs } = app.installation;
  const broken = await createTestTasks({ ...app.installation, blobs: { ...blobs, write: refuseToWrite } }, workerDb);
  for (let i = 0; i < 5; i += 1) await assert.rejects(async () => work(failing, broken));
  assert.equal((await read(failing)).state, 'running');
  await work(failing);
  assert.equal((await read(failing)).state, 'failed');
  assert.equal((await ask('POST', `/${formId}/export_jobs`, { format: 'csv' })).status, 201);
});

test('it tells how far it is, and one that is cancelled never gets a file', async () => {
  for (let i = 0; i < 110; i += 1) await submit(`No ${i}`);
  const id = await begin();
  const { held, told, letGo } = await holdingTasks();
  const working = work(id, held);
  await told;
  const running = await read(id);
  assert.deepEqual([running.state, running.rows_done, running.rows_total], ['running', 100, 110]);
  assert.equal((await take('DELETE', `/export_jobs/${id}`)).data.state, 'cancelled');
  letGo();
  await working;
  assert.equal((await read(id)).state, 'cancelled');
  assert.equal((await file(id)).status, 404);
  assert.equal(await queued(id), 1, 'and nobody begins it anew');
});

test('one whose process was killed is taken up after a minute, and begins over', async () => {
  await submit('Ann');
  await submit('Bob');
  const id = await begin();
  // As a killed worker leaves it: half done, and in no queue.
  await asOwner(app, async (client) => {
    const half = `update form_export_jobs set state = 'running', attempt = 1, done = 1, total = 2 where id = $1`;
    await client.query(half, [id]);
    await client.query('delete from graphile_worker._private_jobs');
  });
  await resumeFormExports({ db: workerDb, clock });
  assert.equal(await queued(id), 0, 'it may still be worked on');
  clock.advance(61_000);
  await resumeFormExports({ db: workerDb, clock });
  assert.equal(await queued(id), 1);
  await work(id);
  assert.deepEqual([(await read(id)).state, (await read(id)).rows_done], ['done', 2]);
  assert.equal((await textOf(id)).trim().split('\r\n').length, 3);

  const old = await begin();
  clock.advance(DAY + 1);
  await resumeFormExports({ db: workerDb, clock });
  assert.equal((await read(old)).state, 'failed', 'one that never ends is given up');
});

test('of two that work on the same export, the one that began later makes the file', async () => {
  await submit('Ann');
  const id = await begin();
  const { held, told, letGo } = await holdingTasks();
  const first = work(id, held);
  await told;
  await work(id);
  const { bytes } = await file(id);
  letGo();
  await first;
  assert.deepEqual((await file(id)).bytes, bytes);
  assert.equal((await read(id)).state, 'done');
});

test('whoever destroys a submission destroys the files that it stands in', async () => {
  const ann = await submit('Ann');
  await submit('Bob');
  const id = await begin();
  await work(id);
  const kept = blobFiles(app).length;
  await take('DELETE', `/${formId}/submissions/${ann}`);
  const gone = await read(id);
  assert.deepEqual([gone.state, gone.gone_because, gone.kept_until], ['gone', 'destroyed', null]);
  assert.equal((await file(id)).status, 404);
  assert.equal(blobFiles(app).length, kept - 1);
});

test('an export under way begins anew where a submission is destroyed meanwhile', async () => {
  const ann = await submit('Ann');
  await submit('Bob');
  const id = await begin();
  const { held, told, letGo } = await holdingTasks();
  const working = work(id, held);
  await told;
  await take('DELETE', `/${formId}/submissions/${ann}`);
  letGo();
  await working;
  assert.equal((await read(id)).state, 'waiting');
  await work(id);
  const text = await textOf(id);
  assert.match(text, /Bob/);
  assert.doesNotMatch(text, /Ann/);
});

test('an export that begins while a submission is being destroyed waits until it is gone', async () => {
  const ann = await submit('Ann');
  await submit('Bob');
  const id = await begin();
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const { promise: free, resolve: commit } = Promise.withResolvers<void>();
  const db = openDatabase(app.installation, 'app', 1);
  const actor = { kind: 'key', id: customer.keyId } as const;
  const act = { customerId: customer.id, actor, action: 'submission.destroyed', requestId: null };
  const signingKey = await loadSigningKey({ db, vault: app.installation.vault });
  const destroying = db.tenant([customer.id], async (tx) => {
    await destroySubmissions(tx, { clock, act, signingKey }, { formId, ids: [ann], why: { reason: 'request' } });
    tell();
    await free;
  });
  await told;
  const working = work(id);
  const waits = 'select from pg_locks where not granted and pid <> pg_backend_pid()';
  const isWaiting = () => asOwner(app, async (client) => (await client.query(waits)).rows.length > 0);
  await eventually(async () => (await isWaiting()) || (await read(id)).state === 'done');
  commit();
  await destroying;
  await working;
  await db.close();
  const text = await textOf(id);
  assert.match(text, /Bob/);
  assert.doesNotMatch(text, /Ann/);
});

test('a file is kept for seven days, or until somebody deletes it', async () => {
  await submit('Ann');
  const [kept, deleted] = [await begin(), await begin()];
  await work(kept);
  await work(deleted);
  assert.deepEqual((await take('DELETE', `/export_jobs/${deleted}`)).data.gone_because, 'deleted');
  const count = blobFiles(app).length;
  clock.advance(7 * DAY - 1);
  await tasks['sweep.hourly']?.({});
  assert.equal((await file(kept)).status, 200);
  clock.advance(2);
  await tasks['sweep.hourly']?.({});
  assert.deepEqual([(await read(kept)).state, (await read(kept)).gone_because], ['gone', 'expired']);
  assert.ok(blobFiles(app).length < count);
});

test('who has seen a submission tells of the file that it left in, and of none that it did not', async () => {
  const ann = await submit('Ann');
  const id = await begin();
  await work(id);
  const late = await submit('late');
  clock.advance(10);
  await file(id);
  const [told, ...more] = await disclosed(ann);
  assert.deepEqual([told.action, told.actor_id, more], ['submissions.exported', customer.keyId, []]);
  assert.deepEqual(await disclosed(late), []);
  const nameless = await begin('deidentified-csv');
  await work(nameless);
  await file(nameless);
  assert.equal((await disclosed(ann)).length, 1, 'without names it is no disclosure');
});

test('one that is asked for twice under one key is made once', async () => {
  const headers = { 'idempotency-key': 'once' };
  const [one, other] = [
    await ask('POST', `/${formId}/export_jobs`, { format: 'csv' }, headers),
    await ask('POST', `/${formId}/export_jobs`, { format: 'csv' }, headers),
  ];
  assert.deepEqual([one.status, other.status, other.body], [201, 201, one.body]);
  assert.equal((await take('GET', '/export_jobs')).total, 1);
});

test('with whoever asked for it, an export goes', async () => {
  await submit('Ann');
  const [made, waiting] = [await begin(), await begin()];
  await work(made);
  const userId = await asOwner(app, async (client) => {
    const add = `insert into users (id, customer_id, email, role, created_at)
      values (gen_random_uuid(), $1, $2, 'editor', now()) returning id`;
    const { rows } = await client.query(add, [customer.id, `${customer.username}@example.com`]);
    const asked = `update form_export_jobs set created_by_kind = 'user', created_by = $2 where customer_id = $1`;
    await client.query(asked, [customer.id, rows[0].id]);
    return rows[0].id as string;
  });
  assert.equal((await file(made)).status, 200);
  await asOwner(app, (client) => client.query('update users set disabled_at = now() where id = $1', [userId]));
  assert.equal((await file(made)).status, 404, 'at once');
  assert.deepEqual((await read(made)).gone_because, 'person_removed');
  await work(waiting);
  assert.equal((await read(waiting)).state, 'gone');
  const count = blobFiles(app).length;
  await tasks['sweep.hourly']?.({});
  assert.equal(blobFiles(app).length, count - 1);
});
