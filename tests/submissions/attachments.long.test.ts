import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { startS3 } from '../blob/s3-wire.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import {
  attachmentPath,
  base64,
  blobFiles,
  download,
  idOf,
  leavingNothing,
  PNG,
  readBack,
  submit,
  submitted,
} from './submitting.ts';

let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Submits attachments and answers how they were taken. */
async function attach(attachments: unknown[], node = app, of = customer, form = formId) {
  const id = await submitted(node, form, { form_data: {}, attachments });
  return { id, files: (await readBack(node, of, form, id)).attachments };
}

async function bytesOf(id: string, file: { id: string }): Promise<Buffer> {
  const { status, bytes } = await download(app, customer, attachmentPath(formId, id, file.id));
  assert.equal(status, 200);
  return bytes;
}

/** Fails unless attachments are refused with 400 that names a field, and nothing of them stays. */
async function assertRefused(attachments: unknown, field: RegExp): Promise<void> {
  const reply = await leavingNothing(app, () => submit(app, formId, { form_data: {}, attachments }));
  const told = `${JSON.stringify(attachments).slice(0, 200)}: ${reply.text}`;
  assert.equal(reply.status, 400, told);
  assert.match(Object.keys(reply.body.fields).join(), field, told);
}

test('a file comes back byte for byte, with its size and hash, whatever its length', async () => {
  for (const length of [0, 1, 2, 3, 4_099, 16_383, 16_384, 16_385, 65_536, 262_143, 262_144, 262_145, 3_000_000]) {
    const bytes = randomBytes(length);
    const { id, files } = await attach([{ name: 'a.bin', content: base64(bytes) }]);
    assert.equal(files.length, 1);
    assert.deepEqual([files[0].size, files[0].sha256], [length, sha256(bytes)], String(length));
    assert.ok((await bytesOf(id, files[0])).equals(bytes), `${length} bytes`);
  }
});

test('base64 is taken padded, unpadded, in lines and as a data URL', async () => {
  const bytes = randomBytes(100_000);
  const text = base64(bytes);
  assert.ok(text.endsWith('='));
  const { id, files } = await attach(
    [
      text,
      text.replace(/=+$/, ''),
      text.replace(/.{76}/g, '$&\r\n'),
      text.replace(/.{64}/g, '$&\n'),
      `${text}\r\n`,
      `data:application/pdf;base64,${text}`,
      `data:;base64,${text.replace(/=+$/, '')}`,
    ].map((content, at) => ({ name: `${at}.bin`, content })),
  );
  assert.equal(files.length, 7);
  for (const file of files) assert.ok((await bytesOf(id, file)).equals(bytes), file.name);
});

test('what is no base64 is refused, at its beginning, in the middle and at its end', async () => {
  const good = base64(randomBytes(900_000));
  for (const content of [
    '*',
    'QUJ*',
    'A',
    'QUJDR',
    'QQ=',
    'QQ===',
    'QQ==QQ==',
    '====',
    'QUJD=',
    ' QUJD',
    'QU JD',
    'QUJ_',
    'data:image/png,QUJD',
    'data:;base64,QUJ*',
    `*${good}`,
    `${good.slice(0, 600_000)}*${good.slice(600_000)}`,
    `${good}*`,
  ]) {
    await assertRefused([{ name: 'a', content }], /^attachments/);
    await assertRefused(
      [
        { name: 'first', content: 'QUJD' },
        { name: 'a', content },
      ],
      /^attachments/,
    );
  }
});

test('attachments of other shapes are refused, after files that had come well', async () => {
  const fine = { name: 'fine.txt', content: base64('fine') };
  for (const wrong of ['x', 7, true, {}, { name: 'a', content: 'QUJD' }]) await assertRefused(wrong, /^attachments$/);
  for (const [wrong, field] of [
    ['x', /^attachments\.1$/],
    [7, /^attachments\.1$/],
    [null, /^attachments\.1$/],
    [['a', 'QUJD'], /^attachments\.1$/],
    [{}, /^attachments\.1\.content$/],
    [{ name: 'a' }, /^attachments\.1\.content$/],
    [{ name: 'a', content: null }, /^attachments/],
    [{ name: 'a', content: 7 }, /^attachments/],
    [{ name: 'a', content: ['QUJD'] }, /^attachments/],
    [{ name: 'a', content: { content: 'QUJD' } }, /^attachments/],
    [{ content: 'QUJD' }, /^attachments\.1\.name$/],
    [{ name: null, content: 'QUJD' }, /^attachments\.1\.name$/],
    [{ name: 7, content: 'QUJD' }, /^attachments\.1\.name$/],
    [{ name: ['a'], content: 'QUJD' }, /^attachments\.1\.name$/],
    [{ name: 'a', contentType: 7, content: 'QUJD' }, /^attachments\.1\.contentType$/],
    [{ name: 'a', field: 7, content: 'QUJD' }, /^attachments\.1\.field$/],
    [{ name: 'a', field: 'x'.repeat(1_001), content: 'QUJD' }, /^attachments\.1\.field$/],
  ] as const) {
    await assertRefused([fine, wrong], field);
  }
  for (const none of [undefined, null, []]) {
    const id = await submitted(app, formId, { form_data: {}, attachments: none });
    assert.deepEqual((await readBack(app, customer, formId, id)).attachments, []);
  }
});

test('files come after, between or before what is said of them, in any of the two forms', async () => {
  const raw =
    `{"attachments":[{"content":"${base64('one')}","name":"one.txt"},` +
    `{"fileName":"two.txt","contentType":"text/plain","content":"${base64('both').replaceAll('=', '\\u003d')}"},` +
    `{"contentType":"text/x-three","content":"${base64('three')}","fileName":"three.txt","field":"scan"}],` +
    '"form_data":{"attachments":[{"content":"not base64 *"}],"content":"neither *"}}';
  const headers = { 'content-type': 'application/json' };
  const reply = await app.request('POST', `/api/forms/${formId}/submissions`, { headers, raw });
  assert.equal(reply.status, 201, reply.text);
  const read = await readBack(app, customer, formId, idOf(reply));
  assert.deepEqual(
    read.attachments.map(({ name, type, field }: Record<string, string>) => [name, type, field]),
    [
      ['one.txt', 'application/octet-stream', null],
      ['two.txt', 'text/plain', null],
      ['three.txt', 'text/x-three', 'scan'],
    ],
  );
  const texts = await Promise.all(read.attachments.map((file: { id: string }) => bytesOf(idOf(reply), file)));
  assert.deepEqual(texts.map(String), ['one', 'both', 'three']);
  assert.deepEqual(read.answers, { attachments: [{ content: 'not base64 *' }], content: 'neither *' });
  assert.equal(read.attachment_name, 'one.txt');
  assert.equal(read.attachment_type, 'application/octet-stream');
  assert.ok(read.attachment_url.endsWith(attachmentPath(formId, idOf(reply), read.attachments[0].id)));
  assert.deepEqual([read.attachment, read.storage_url], [null, null]);
});

test('the type is what the first bytes say, whatever name or sender says', async () => {
  const { files } = await attach([
    { name: 'notes.txt', contentType: 'text/plain', content: base64(PNG) },
    { name: 'a.png', contentType: 'image/png', content: base64('%PDF-1.7\n1 0 obj\n') },
    { name: 'a.png', contentType: 'image/png', content: base64('<script>alert(1)</script>') },
    { name: 'b.html', contentType: 'text/html\r\nX-Evil: 1', content: base64('just text') },
    { name: 'c', contentType: `text/${'x'.repeat(300)}`, content: base64('just text') },
  ]);
  const types = files.map(({ type }: { type: string }) => type);
  assert.deepEqual(types.slice(0, 2), ['image/png', 'application/pdf']);
  for (const type of types) assert.match(type, /^[\w.+-]+\/[\w.+-]+$/);
  assert.equal(types[4], 'application/octet-stream');
});

test('the type is kept without its parameters, as it is of a part of a form', async () => {
  const fields = [{ name: 'table', type: 'file', accept: ['text/csv'] }];
  const form = await addForm(app, customer.id, { form_json: { fields } });
  const sent = { name: 'table', contentType: 'Text/CSV; charset=utf-8', content: base64('a,b') };
  const id = await submitted(app, form, { form_data: {}, attachments: [sent] });
  const [file] = (await readBack(app, customer, form, id)).attachments;
  assert.equal(file.type, 'text/csv');
});

test('names keep what a name is and lose paths, controls and turned writing', async () => {
  for (const [sent, kept] of [
    ['report.pdf', 'report.pdf'],
    ['C:\\fakepath\\scan.png', 'scan.png'],
    ['../../etc/passwd', 'passwd'],
    ['/abs/olute.txt', 'olute.txt'],
    [' spaced name.txt ', 'spaced name.txt'],
    ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie: x.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069\u200f.txt', 'a.txt'],
    ['tab\tand\u007f.txt', 'taband.txt'],
    ['größe ☤ 😀.txt', 'größe ☤ 😀.txt'],
    ['"quoted";name=x.txt', '"quoted";name=x.txt'],
    ['.hidden', '.hidden'],
    ['x'.repeat(300), 'x'.repeat(255)],
    ['😀'.repeat(300), '😀'.repeat(255)],
  ] as const) {
    const { files } = await attach([{ name: sent, content: 'QUJD' }]);
    assert.equal(files[0].name, kept, JSON.stringify(sent));
  }
  for (const name of ['', ' ', '.', '..', '../..', 'a/', 'a\\', '\u202e', '/', '\r\n']) {
    await assertRefused([{ name, content: 'QUJD' }], /^attachments\.0\.name$/);
  }
  const unstorable = { form_data: {}, attachments: [{ name: 'a\0b.txt', content: 'QUJD' }] };
  assert.equal((await leavingNothing(app, () => submit(app, formId, unstorable))).status, 400);
});

test('a thousand files are taken, and one more is not', async () => {
  const files = Array.from({ length: 1_000 }, (_, at) => ({ name: `${at}.txt`, content: base64(`file ${at}`) }));
  const over = await leavingNothing(app, () =>
    submit(app, formId, { form_data: {}, attachments: [...files, { name: 'more', content: '' }] }),
  );
  assert.equal(over.status, 400);
  const { id, files: taken } = await attach(files);
  assert.equal(taken.length, 1_000);
  assert.deepEqual(
    taken.map(({ sha256: hash }: { sha256: string }) => hash),
    files.map((_, at) => sha256(Buffer.from(`file ${at}`))),
  );
  assert.equal((await bytesOf(id, taken[999])).toString(), 'file 999');
});

test('a form that takes no files refuses them', async () => {
  const closed = await addForm(app, customer.id, { form_json: { attachments: false, fields: [] } });
  const attachments = [{ name: 'a', content: base64(randomBytes(400_000)) }];
  const reply = await leavingNothing(app, () => submit(app, closed, { form_data: {}, attachments }));
  assert.equal(reply.status, 400);
  assert.deepEqual(Object.keys(reply.body.fields), ['attachments']);
  await submitted(app, closed, { form_data: {} });
});

test('each of two equal files is stored under a name and a key of its own', async () => {
  const known = blobFiles(app).length;
  const file = { name: 'same.txt', content: base64('the same') };
  const { files } = await attach([file, file]);
  assert.equal(new Set(files.map(({ id }: { id: string }) => id)).size, 2);
  assert.equal(blobFiles(app).length, known + 2);
});

test('files go into a bucket whole', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-s3-'));
  const s3 = await startS3(folder);
  t.after(() => rmSync(folder, { recursive: true }));
  t.after(() => s3.stop());
  const node = await startApp(t, { env: { CAREPOST_BLOB_URL: s3.url } });
  const owner = await node.createCustomer();
  const form = await addForm(node, owner.id);
  for (const length of [1_000, 2_000_000, 7_000_000]) {
    const bytes = randomBytes(length);
    const { id, files } = await attach([{ name: 'a.bin', content: base64(bytes) }], node, owner, form);
    const back = await download(node, owner, attachmentPath(form, id, files[0].id));
    assert.equal(back.status, 200);
    assert.equal(sha256(back.bytes), sha256(bytes), `${length} bytes`);
  }
});
