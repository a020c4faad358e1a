import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import * as tus from 'tus-js-client';
import { attachmentPath, blobFiles, download, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { announce, ask, begun, counts, drop, offsetOf, send, tokenIn } from './uploading.ts';

const MOST = 262_144_000;
const FIELDS = [
  { type: 'file', name: 'photo', max_bytes: 10, max: 5 },
  { type: 'repeater', name: 'pets', fields: [{ type: 'file', name: 'card', max_bytes: 20 }] },
];

let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {}, vanity_url: 'files-here' });
});

test('a client of the protocol uploads in pieces, and the file is whole, sniffed and sendable', async () => {
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(700_000)]);
  const upload = await new Promise<tus.Upload>((resolve, reject) => {
    const sending: tus.Upload = new tus.Upload(bytes, {
      endpoint: `${app.url}/f/files-here/files`,
      metadata: { filename: 'Überweisung.pdf', filetype: 'text/plain', field: 'scan' },
      chunkSize: 200_000,
      retryDelays: [],
      onError: reject,
      onSuccess: () => resolve(sending),
    });
    sending.start();
  });
  const token = tokenIn(upload.url as string);
  const id = await submitted(app, formId, { form_data: {}, attachments: [{ upload: token }] });
  const [file] = (await readBack(app, customer, formId, id)).attachments;
  assert.equal(file.name, 'Überweisung.pdf');
  assert.equal(file.type, 'application/pdf', 'its bytes say what it is');
  const got = await download(app, customer, attachmentPath(formId, id, file.id));
  assert.ok(got.bytes.equals(bytes));
  assert.deepEqual(await counts(app), { uploads: 0, parts: 0, blobs: 1 }, 'nothing is left of the parts');
  assert.equal(blobFiles(app).length, 1);
});

test('OPTIONS tells what the server can do', async () => {
  const { status, headers } = await app.request('OPTIONS', `/f/${formId}/files`);
  assert.equal(status, 204);
  assert.equal(headers.get('tus-version'), '1.0.0');
  assert.equal(headers.get('tus-max-size'), String(MOST));
  assert.equal(headers.get('tus-extension'), 'creation,creation-with-upload,expiration,termination');
});

test('whoever does not speak the protocol is told which version there is', async () => {
  for (const version of [undefined, '0.2.2']) {
    const headers: Record<string, string> = version === undefined ? {} : { 'tus-resumable': version };
    const reply = await app.request('POST', `/f/${formId}/files`, { headers });
    assert.equal(reply.status, 412);
    assert.equal(reply.headers.get('tus-version'), '1.0.0');
  }
});

test('the length is required, a number, and 250 MB at most', async () => {
  for (const [length, status] of [
    [null, 400],
    ['a lot', 400],
    ['-1', 400],
    ['1.5', 400],
    ['', 400],
    [MOST + 1, 413],
    [MOST, 201],
    [MOST - 1, 201],
  ] as const) {
    const reply = await announce(app, formId, { length });
    assert.equal(reply.status, status, `${length}: ${reply.text}`);
    assert.equal(reply.headers.get('tus-resumable'), '1.0.0');
    if (status === 400) assert.deepEqual(Object.keys(reply.body.fields), ['Upload-Length']);
  }
});

/** The field that is named when a header is refused. */
async function refusedIn(header: string): Promise<string | undefined> {
  const { status, body } = await announce(app, formId, { length: 1, headers: { 'upload-metadata': header } });
  assert.equal(status, 400);
  return Object.keys(body.fields)[0];
}

test('a file needs a name, and what is told of it has to be base64', async () => {
  assert.equal(await refusedIn(''), 'Upload-Metadata filename');
  assert.equal(await refusedIn('filename ***'), 'Upload-Metadata');
  assert.equal(await refusedIn('filename YQ== YQ=='), 'Upload-Metadata');
  assert.equal(await refusedIn('filename YQ==,filename YQ=='), 'Upload-Metadata');
  assert.equal(await refusedIn('filename Li4='), 'Upload-Metadata filename');
});

test('the limit of the question is known before any byte comes', async () => {
  const limited = await addForm(app, customer.id, { form_json: { fields: FIELDS } });
  for (const [field, length, status] of [
    ['photo', 9, 201],
    ['photo', 10, 201],
    ['photo', 11, 413],
    ['pets.0.card', 20, 201],
    ['pets.0.card', 21, 413],
    ['unknown', 21, 201],
  ] as const) {
    const reply = await announce(app, limited, { length, told: { filename: 'a', field } });
    assert.equal(reply.status, status, `${field} ${length}: ${reply.text}`);
  }
});

test('a form that asks for no files, is closed, not active or not there takes none', async () => {
  const noFiles = await addForm(app, customer.id, { form_json: { fields: [], attachments: false } });
  assert.equal((await announce(app, noFiles, { length: 1 })).status, 400);
  const inactive = await addForm(app, customer.id, { active: false });
  assert.equal((await announce(app, inactive, { length: 1 })).status, 404);
  assert.equal((await announce(app, 'no-such-name', { length: 1 })).status, 404);
  const closed = await addForm(app, customer.id, { form_json: {} });
  await asOwner(app, (client) =>
    client.query(`insert into form_pages (form_id, customer_id, closes_at, updated_at) values ($1, $2, now(), now())`, [
      closed,
      customer.id,
    ]),
  );
  assert.equal((await announce(app, closed, { length: 1 })).status, 403);
});

test('bytes are taken from where the file goes on, and from nowhere else', async () => {
  const place = await begun(app, formId, { length: 10 });
  assert.equal((await send(app, place, 1, Buffer.from('abc'))).status, 409);
  const first = await send(app, place, 0, Buffer.from('abc'));
  assert.equal(first.status, 204);
  assert.equal(first.headers.get('upload-offset'), '3');
  assert.ok(Date.parse(first.headers.get('upload-expires') ?? '') > Date.now());
  assert.equal((await send(app, place, 0, Buffer.from('abc'))).status, 409, 'not twice');
  assert.equal((await send(app, place, 2, Buffer.from('abc'))).status, 409);
  for (const offset of ['', 'x', '-3']) assert.equal((await send(app, place, offset, Buffer.from('a'))).status, 400);
  const typed = await send(app, place, 3, Buffer.from('abc'), { 'content-type': 'text/plain' });
  assert.equal(typed.status, 415);
  assert.equal(await offsetOf(app, place), 3);
  assert.equal((await send(app, place, 3, Buffer.from('defghijk'))).status, 413, 'one byte over the length');
  assert.equal(await offsetOf(app, place), 3, 'of which nothing is kept');
  assert.equal((await send(app, place, 3, Buffer.from('defghij'))).status, 204);
  assert.equal((await send(app, place, 10, Buffer.alloc(0))).status, 204, 'nothing more is nothing new');
  assert.equal((await send(app, place, 10, Buffer.from('k'))).status, 413);
});

test('what is told of a file is its length, its offset and its words', async () => {
  const told = { filename: 'a.txt', filetype: 'text/plain', field: 'photo' };
  const place = await begun(app, formId, { length: 5, told });
  await send(app, place, 0, Buffer.from('ab'));
  const { headers } = await ask(app, place);
  assert.equal(headers.get('upload-length'), '5');
  assert.equal(headers.get('upload-offset'), '2');
  assert.equal(headers.get('cache-control'), 'no-store');
  const words = Object.fromEntries(
    (headers.get('upload-metadata') ?? '').split(',').map((pair) => {
      const [name, value] = pair.split(' ');
      return [name, Buffer.from(value ?? '', 'base64').toString()];
    }),
  );
  assert.deepEqual(words, told);
});

test('a file may come with its announcement, and an empty one is whole at once', async () => {
  const headers = { 'content-type': 'application/offset+octet-stream' };
  const whole = await announce(app, formId, { length: 5, headers, raw: Buffer.from('hello') });
  assert.equal(whole.status, 201);
  assert.equal(whole.headers.get('upload-offset'), '5');
  const begin = await announce(app, formId, { length: 5, headers, raw: Buffer.from('hel') });
  assert.equal(begin.headers.get('upload-offset'), '3');
  assert.equal((await announce(app, formId, { length: 2, headers, raw: Buffer.from('hel') })).status, 413);
  const empty = await begun(app, formId, { length: 0, told: { filename: 'empty.txt' } });
  const id = await submitted(app, formId, {
    form_data: {},
    attachments: [{ upload: tokenIn(whole.headers.get('location') ?? '') }, { upload: tokenIn(empty) }],
  });
  const { attachments } = await readBack(app, customer, formId, id);
  assert.deepEqual(
    attachments.map(({ size }: { size: number }) => size),
    [5, 0],
  );
});

test('a file is taken back with all that has come of it, also through POST', async () => {
  const [rows, files] = [await counts(app), blobFiles(app)];
  const place = await begun(app, formId, { length: 10 });
  await send(app, place, 0, Buffer.from('abc'));
  assert.equal((await drop(app, place)).status, 204);
  assert.equal((await ask(app, place)).status, 404);
  assert.equal((await send(app, place, 3, Buffer.from('abc'))).status, 404);
  const other = await begun(app, formId, { length: 3 });
  const headers = { 'tus-resumable': '1.0.0', 'x-http-method-override': 'DELETE' };
  assert.equal((await app.request('POST', other, { headers })).status, 204);
  assert.equal((await app.request('POST', other, { headers: { 'tus-resumable': '1.0.0' } })).status, 405);
  assert.deepEqual(await counts(app), rows);
  assert.deepEqual(blobFiles(app), files);
});

test('the address of one form leads to no file of another', async () => {
  const other = await addForm(app, customer.id, { form_json: {} });
  const stranger = await app.createCustomer();
  const foreign = await addForm(app, stranger.id, { form_json: {} });
  const place = await begun(app, formId, { length: 3 });
  for (const elsewhere of [other, foreign]) {
    const path = `/f/${elsewhere}/files/${tokenIn(place)}`;
    assert.equal((await ask(app, path)).status, 404);
    assert.equal((await send(app, path, 0, Buffer.from('abc'))).status, 404);
    assert.equal((await drop(app, path)).status, 404);
  }
  assert.equal((await ask(app, `/f/${formId}/files/not-a-token`)).status, 404);
  assert.equal(await offsetOf(app, place), 0);
});
