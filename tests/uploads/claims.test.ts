import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { MOST_BYTES } from '../../src/forms/submissions/receive.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import {
  attachmentPath,
  auditOf,
  base64,
  blobBytes,
  blobFiles,
  download,
  leavingNothing,
  readBack,
  submit,
  submitted,
} from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { announce, ask, begun, countAs, counts, keptByPage, send, statusesOf, tokenIn, uploaded } from './uploading.ts';

const DAY_MS = 24 * 3600_000;
const FIELDS = [
  { type: 'file', name: 'photo', required: true },
  { type: 'file', name: 'letter', accept: '.txt' },
];

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
});

const beside = (content: string) => ({ name: 'b.txt', content: base64(content) });
const naming = (...tokens: string[]) => ({ form_data: {}, attachments: tokens.map((upload) => ({ upload })) });

test('a file that came ahead answers the question that it was sent for, or the one that is named now', async () => {
  const asking = await addForm(app, customer.id, { form_json: { fields: FIELDS } });
  const photo = await uploaded(app, asking, Buffer.from('photo'), { filename: 'p.png', field: 'letter' });
  const letter = await uploaded(app, asking, Buffer.from('letter'), { filename: 'l.txt', field: 'letter' });
  const refused = await submit(app, asking, naming(photo, letter));
  assert.equal(refused.status, 400, 'both are for the letter, and one is of the wrong kind');
  assert.deepEqual(Object.keys(refused.body.fields).toSorted(), ['letter', 'photo']);
  const attachments = [{ upload: photo, field: 'photo' }, { upload: letter }];
  const id = await submitted(app, asking, { form_data: {}, attachments });
  const read = await readBack(app, customer, asking, id);
  assert.deepEqual(
    read.attachments.map((file: { name: string; field: string }) => [file.name, file.field]),
    [
      ['p.png', 'photo'],
      ['l.txt', 'letter'],
    ],
  );
});

test('files that came ahead and files in the body go together', async () => {
  const token = await uploaded(app, formId, Buffer.from('ahead'));
  const attachments = [beside('beside'), { upload: token }];
  const id = await submitted(app, formId, { form_data: {}, attachments });
  const read = await readBack(app, customer, formId, id);
  const bodies = await Promise.all(
    read.attachments.map((file: { id: string }) => download(app, customer, attachmentPath(formId, id, file.id))),
  );
  assert.deepEqual(
    bodies.map(({ bytes }) => bytes.toString()),
    ['beside', 'ahead'],
  );
});

test('files that came ahead count towards the 250 MB of a submission, and of a refused one they can be sent again', async () => {
  const [large, small] = [await uploaded(app, formId, Buffer.from('l')), await uploaded(app, formId, Buffer.from('s'))];
  await countAs(app, large, MOST_BYTES - 3);
  await countAs(app, small, 4);
  const { uploads } = await counts(app);
  const withLarge = (content: string) => ({ form_data: {}, attachments: [{ upload: large }, beside(content)] });
  for (const body of [naming(large, small), withLarge('four')]) {
    const { status, text } = await leavingNothing(app, () => submit(app, formId, body));
    assert.equal(status, 413, text);
  }
  assert.equal((await counts(app)).uploads, uploads);
  await submitted(app, formId, withLarge('3rd'));
  await submitted(app, formId, naming(small));
});

test('a file is sent along once, also where two submissions name it at the same time', async () => {
  const token = await uploaded(app, formId, Buffer.from('once'));
  const replies = await Promise.all(Array.from({ length: 6 }, () => submit(app, formId, naming(token))));
  assert.deepEqual(statusesOf(replies), [201, 400, 400, 400, 400, 400]);
  const refused = replies.find(({ status }) => status === 400);
  assert.deepEqual(Object.keys(refused?.body.fields), ['attachments']);
  assert.ok(!refused?.text.includes(token));
  assert.equal((await submit(app, formId, naming(token))).status, 400);
});

test('those that are written together with a refused one are written', async () => {
  const [taken, free] = [await uploaded(app, formId, Buffer.from('a')), await uploaded(app, formId, Buffer.from('b'))];
  await submitted(app, formId, naming(taken));
  const replies = await Promise.all([submit(app, formId, naming(free)), submit(app, formId, naming(taken))]);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 400],
  );
});

test('one file twice, an unknown one, another form’s, an unfinished one: none of it is taken', async () => {
  const other = await addForm(app, customer.id, { form_json: {} });
  const elsewhere = await uploaded(app, other, Buffer.from('elsewhere'));
  const unfinished = await begun(app, formId, { length: 5 });
  await send(app, unfinished, 0, Buffer.from('abc'));
  const whole = await uploaded(app, formId, Buffer.from('whole'));
  const unknown = randomBytes(32).toString('base64url');
  for (const tokens of [[whole, whole], [unknown], ['short'], [elsewhere], [tokenIn(unfinished)], [whole, unknown]]) {
    const { status, body } = await submit(app, formId, naming(...tokens));
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.fields), ['attachments']);
  }
  for (const [attachment, field] of [
    [{ upload: 7 }, 'attachments.0.upload'],
    [{ upload: whole, content: 'YQ==' }, 'attachments.0.content'],
    [{ field: 'a' }, 'attachments.0.content'],
  ] as const) {
    const { status, body } = await submit(app, formId, { form_data: {}, attachments: [attachment] });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.fields), [field]);
  }
  await submitted(app, formId, naming(whole));
});

test('a submission that is sent again under its key gets its answer, though the file is gone', async () => {
  const token = await uploaded(app, formId, Buffer.from('again'));
  const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
  const id = await submitted(app, formId, naming(token), headers);
  assert.equal(await submitted(app, formId, naming(token), headers), id);
  assert.equal((await submit(app, formId, naming(), headers)).status, 409, 'but not for another submission');
});

test('a file that the page got is found, dropped and sent like any other', async () => {
  const { form, uploads, upload } = await keptByPage(app, formId, Buffer.from('by page'), 'C:\\scans\\page.txt');
  assert.equal(upload.file.name, 'page.txt');
  assert.deepEqual(await uploads.find(form, [upload.token, 'nothing']), [upload]);
  const other = { ...form, id: await addForm(app, customer.id, { form_json: {} }) };
  assert.deepEqual(await uploads.find(other, [upload.token]), []);
  await uploads.drop(other, upload.token);
  await submitted(app, formId, naming(upload.token));
  const second = await keptByPage(app, formId, Buffer.from('to drop'));
  await uploads.drop(form, second.upload.token);
  await uploads.drop(form, second.upload.token);
  assert.deepEqual(await uploads.find(form, [second.upload.token]), []);
  assert.ok(!blobFiles(app).some((name) => name.includes(second.upload.file.id)));
});

test('nothing of a file can be read where it waits, neither whole nor in parts', async () => {
  const canary = randomBytes(16).toString('hex');
  const told = { filename: `${canary}.txt`, filetype: `text/${canary}`, field: canary };
  const place = await begun(app, formId, { length: 64, told });
  await send(app, place, 0, Buffer.from(canary));
  await uploaded(app, formId, Buffer.from(canary), told);
  const rows = await asOwner(app, async (client) => {
    const tables = ['form_uploads', 'form_upload_parts', 'blobs', 'audit_log', 'rate_counts'];
    const found: string[] = [];
    for (const table of tables) {
      for (const { row } of (await client.query(`select t::text as row from ${table} t`)).rows) found.push(row);
    }
    return found.join('\n');
  });
  for (const trace of [canary, Buffer.from(canary).toString('hex'), tokenIn(place)]) {
    assert.ok(!rows.includes(trace) && !app.logged().includes(trace));
  }
  assert.ok(blobBytes(app).every((bytes) => !bytes.includes(canary)));
});

test('what nobody has sent along goes after a day, and not before', async (t) => {
  const workerDb = openDatabase(app.installation, 'worker', 1);
  t.after(() => workerDb.close());
  const { 'sweep.hourly': sweep } = await createTestTasks(app.installation, workerDb);
  const place = await begun(app, formId, { length: 5 });
  await send(app, place, 0, Buffer.from('abc'));
  const token = await uploaded(app, formId, Buffer.from('waiting'));
  const waiting = await counts(app);
  clock.advance(DAY_MS - 1);
  await sweep?.({});
  assert.equal((await ask(app, place)).status, 200);
  assert.ok((await counts(app)).uploads > 0 && waiting.parts > 0);
  clock.advance(1);
  assert.equal((await ask(app, place)).status, 404, 'from that moment on, swept or not');
  assert.equal((await send(app, place, 3, Buffer.from('de'))).status, 404);
  assert.equal((await submit(app, formId, naming(token))).status, 400);
  await sweep?.({});
  const { uploads, parts } = await counts(app);
  assert.deepEqual({ uploads, parts }, { uploads: 0, parts: 0 });
  const { submitted: files } = await asOwner(app, async (client) => {
    const { rows } = await client.query('select count(*)::int as submitted from submission_files');
    return rows[0] as { submitted: number };
  });
  assert.equal(blobFiles(app).length, files, 'what submissions have stays');
  const acts = await auditOf(app, customer, ['upload.begun', 'upload.received', 'upload.dropped', 'upload.expired']);
  assert.deepEqual([...new Set(acts.map(({ action }) => action))].toSorted(), [
    'upload.begun',
    'upload.dropped',
    'upload.expired',
    'upload.received',
  ]);
});

test('a hundred files of one network may wait at one form', async () => {
  const crowded = await addForm(app, customer.id, { form_json: {} });
  const announced = async () => (await announce(app, crowded, { length: 1 })).status;
  const statuses = await Promise.all(Array.from({ length: 103 }, announced));
  assert.equal(statuses.filter((status) => status === 201).length, 100);
  assert.equal(statuses.filter((status) => status === 429).length, 3);
  assert.equal((await announce(app, formId, { length: 1 })).status, 201, 'others are not held up');
});
