import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { attachmentPath, base64, download, idOf, leavingNothing, PNG, readBack } from './submitting.ts';

const BORDER = 'a-border-of-its-own';

let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
});

type Part = [headers: string, content: string | Buffer];

const field = (name: string, content: string): Part => [`Content-Disposition: form-data; name="${name}"`, content];
const file = (name: string, content: string | Buffer, more = ''): Part => [
  `Content-Disposition: form-data; name="upload"; filename="${name}"${more}`,
  content,
];

function bodyOf(parts: Part[], end = `--${BORDER}--\r\n`): Buffer {
  const written = parts.map(([headers, content]) =>
    Buffer.concat([Buffer.from(`--${BORDER}\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]),
  );
  return Buffer.concat([...written, Buffer.from(end)]);
}

function post(raw: Buffer, form = formId) {
  const headers = { 'content-type': `multipart/form-data; boundary=${BORDER}` };
  return app.request('POST', `/v1/forms/api/forms/${form}/submissions`, { headers, raw });
}

async function taken(parts: Part[], form = formId) {
  const reply = await post(bodyOf(parts), form);
  assert.equal(reply.status, 201, reply.text);
  assert.equal(reply.text, '');
  return readBack(app, customer, form, idOf(reply));
}

test('a browser form with files is taken as it is', async () => {
  const form = new FormData();
  const bytes = randomBytes(1_500_000);
  form.append('first_name', 'Ann');
  form.append('colours', 'red');
  form.append('colours', 'blue');
  form.append('email', 'ann@example.com');
  form.append('scan', new Blob([bytes]), 'größe "x".bin');
  form.append('photo', new Blob([PNG], { type: 'text/plain' }), 'photo.txt');
  form.append('nothing', new Blob([]), '');
  const reply = await fetch(`${app.url}/api/forms/${formId}/submissions`, { method: 'POST', body: form });
  assert.equal(reply.status, 201);
  const id = reply.headers.get('x-submission-id') as string;
  const read = await readBack(app, customer, formId, id);
  assert.deepEqual(read.answers, { first_name: 'Ann', colours: ['red', 'blue'], email: 'ann@example.com' });
  assert.equal(read.submitter_email, 'ann@example.com');
  assert.deepEqual(
    read.attachments.map((each: Record<string, unknown>) => [each.name, each.type, each.size, each.field]),
    [
      ['größe "x".bin', 'application/octet-stream', bytes.length, 'scan'],
      ['photo.txt', 'image/png', PNG.length, 'photo'],
    ],
  );
  const back = await download(app, customer, attachmentPath(formId, id, read.attachments[0].id));
  assert.ok(back.bytes.equals(bytes));
});

test('form_data, signature and form_version are JSON, and other fields stand beside form_data', async () => {
  const form = await addForm(app, customer.id, { form_json: { fields: [{ type: 'number', name: 'n' }] } });
  const read = await taken(
    [
      field('form_data', '{"n": "5", "deep": {"list": [1, null]}}'),
      field('more', 'text'),
      field('signature', '{"confirmed": true, "name": "Ann"}'),
      field('form_version', '1'),
    ],
    form,
  );
  assert.deepEqual(read.answers, { n: 5, deep: { list: [1, null] }, more: 'text' });
  assert.equal(read.signature.name, 'Ann');
  assert.equal(read.form_version, 1);
  assert.deepEqual(read.unasked, ['deep', 'more']);
});

const json = (value: unknown) => new Blob([JSON.stringify(value)], { type: 'application/json' });

test('parts of JSON may come as blobs, as a browser sends them', async () => {
  const form = new FormData();
  form.append('form_data', json({ n: 5 }));
  form.append('signature', json({ confirmed: true, name: 'Ann' }));
  const reply = await fetch(`${app.url}/api/forms/${formId}/submissions`, { method: 'POST', body: form });
  assert.equal(reply.status, 201);
  const read = await readBack(app, customer, formId, reply.headers.get('x-submission-id') as string);
  assert.deepEqual([read.answers, read.signature.name, read.attachments], [{ n: 5 }, 'Ann', []]);
});

test('a signature that is plain text is an answer like any other field', async () => {
  const read = await taken([field('signature', 'Ann Lee'), field('a', 'b')]);
  assert.deepEqual([read.answers, read.signature.name], [{ a: 'b', signature: 'Ann Lee' }, 'Ann Lee']);
  const blank = await taken([field('signature', '')]);
  assert.deepEqual([blank.answers, blank.signature], [{ signature: '' }, null]);
});

test('a form of nothing at all is refused; fields only and files only are submissions', async () => {
  const nothing = await post(bodyOf([]));
  assert.deepEqual([nothing.status, nothing.body.fields], [400, { form_data: ['is required'] }]);
  assert.deepEqual((await taken([field('a', '')])).answers, { a: '' });
  const read = await taken([file('a.txt', 'one'), file('b.txt', 'b25l\r\n', '\r\nContent-Transfer-Encoding: base64')]);
  assert.deepEqual(read.answers, {});
  assert.equal(new Set(read.attachments.map(({ sha256 }: { sha256: string }) => sha256)).size, 1);
});

test('content that looks like a border stays content', async () => {
  const tricky = `\r\n--${BORDER.slice(0, -1)}\r\n\r\n--\r\n-${BORDER}--\r\n`;
  const read = await taken([file('a.txt', tricky), field('a', tricky)]);
  assert.equal(read.attachments[0].size, tricky.length);
  assert.equal(read.answers.a, tricky);
});

test('what is broken, cut off or against the rules is refused, and the files before it leave again', async () => {
  const fine = file('fine.bin', randomBytes(700_000));
  const mark = `mark${randomUUID()}`;
  const cases: [string, Buffer][] = [
    ['no end', bodyOf([fine], '')],
    ['cut in a file', bodyOf([fine, file('x', 'xxxxxxxxxx')], '').subarray(0, -8)],
    ['cut in headers', Buffer.concat([bodyOf([fine], ''), Buffer.from(`--${BORDER}\r\nContent-Dis`)])],
    ['empty', Buffer.alloc(0)],
    ['another border', Buffer.from('--other\r\n\r\n\r\n--other--')],
    ['no name', bodyOf([fine, ['Content-Disposition: form-data', mark]])],
    ['no disposition', bodyOf([fine, ['X-Other: 1', mark]])],
    ['no form-data', bodyOf([fine, ['Content-Disposition: attachment; name="a"', mark]])],
    ['broken JSON', bodyOf([fine, field('form_data', `{"a": ${mark}}`)])],
    ['JSON that breaks out', bodyOf([fine, field('form_data', '{}, "signature": {}')])],
    ['form_data list', bodyOf([fine, field('form_data', '[1]')])],
    ['form_data text', bodyOf([fine, field('form_data', `"${mark}"`)])],
    ['form_data twice', bodyOf([fine, field('form_data', '{}'), field('form_data', '{}')])],
    ['key twice', bodyOf([fine, field('form_data', '{"a":1}'), field('a', '2')])],
    ['__proto__', bodyOf([fine, field('__proto__', mark)])],
    ['NUL in a field', bodyOf([fine, field('a', '\0')])],
    ['broken base64', bodyOf([fine, file('x', '***', '\r\nContent-Transfer-Encoding: base64')])],
    ['unknown encoding', bodyOf([fine, file('x', mark, '\r\nContent-Transfer-Encoding: x-own')])],
    ['name of nothing', bodyOf([fine, file('..', mark)])],
    ['file without a name', bodyOf([fine, file('', mark)])],
    ['broken signature', bodyOf([fine, field('signature', `{"name": ${mark}}`)])],
    ['signature twice', bodyOf([fine, field('signature', '{}'), field('signature', '{}')])],
  ];
  for (const [name, raw] of cases) {
    const reply = await leavingNothing(app, () => post(raw));
    assert.equal(reply.status, 400, `${name}: ${reply.text}`);
    assert.ok(!reply.text.includes(mark), name);
  }
  const unbounded = { 'content-type': 'multipart/form-data' };
  const raw = bodyOf([fine]);
  const reply = await leavingNothing(app, () =>
    app.request('POST', `/api/forms/${formId}/submissions`, { headers: unbounded, raw }),
  );
  assert.equal(reply.status, 400);
});

const fieldsOf = (sign: string) => ['a', 'b'].map((name) => field(name, sign.repeat(2_000_000)));

test('4 MB of what has to be escaped once are taken; of control signs, which take six times their length, they are not', async () => {
  const answers = (await taken(fieldsOf('"'))).answers;
  assert.equal(answers.b.length, 2_000_000);
  await leavingNothing(app, async () => {
    const refused = await post(bodyOf([file('a.txt', 'one'), ...fieldsOf('\u0001')]));
    assert.equal(refused.status, 413, refused.text);
    assert.match(refused.text, /form_data: takes at most 8388608 signs as JSON/);
  });
});

test('a field whose JSON is broken is named', async () => {
  for (const name of ['form_data', 'signature', 'form_version']) {
    for (const broken of ['{bad', '{"a": 1}}', '{}, "b": {}']) {
      const reply = await post(bodyOf([field(name, broken)]));
      assert.equal(reply.status, 400);
      assert.equal(reply.body.message, `${name}: is not valid JSON`);
      assert.deepEqual(reply.body.fields, { [name]: ['is not valid JSON'] });
    }
  }
});

test('names of files lose their folders and what cannot be seen', async () => {
  const read = await taken([
    file('C:\\\\fakepath\\\\scan.png', 'x'),
    file('../../etc/passwd', 'x'),
    file('a%22b%0D%0A.txt', 'x'),
    ['Content-Disposition: form-data; name="f"; filename="x"; filename*=UTF-8\'\'na%C3%AFve%E2%80%AE.txt', 'x'],
    file('x'.repeat(300), 'x'),
  ]);
  assert.deepEqual(
    read.attachments.map(({ name }: { name: string }) => name),
    ['scan.png', 'passwd', 'a"b.txt', 'naïve.txt', 'x'.repeat(255)],
  );
});

test('a thousand files are taken, and one more is not', async () => {
  const files = Array.from({ length: 1_000 }, (_, at) => file(`${at}.txt`, `file ${at}`));
  const over = await leavingNothing(app, () => post(bodyOf([...files, file('more', 'x')])));
  assert.equal(over.status, 400);
  assert.equal((await taken(files)).attachments.length, 1_000);
});

test('answers are held against the form, and a file counts for the question whose part it came in', async () => {
  const fields = [
    { type: 'email', name: 'mail', required: true },
    { type: 'file', name: 'upload', required: true, accept: ['image/png'] },
  ];
  const form = await addForm(app, customer.id, { form_json: { fields } });
  const wrong = await leavingNothing(app, () => post(bodyOf([field('mail', 'no'), file('a.txt', 'text')]), form));
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body.fields), ['mail', 'upload']);
  const read = await taken([field('mail', 'a@example.com'), file('a.txt', PNG)], form);
  assert.equal(read.attachments[0].field, 'upload');
});

test('the same submission as JSON and in parts is the same for a key', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { form_data: { a: 'x' }, attachments: [{ name: 'a.txt', content: base64('one'), field: 'upload' }] };
  const path = `/v1/forms/api/forms/${formId}/submissions`;
  const first = await app.request('POST', path, { headers, body });
  const inParts = { ...headers, 'content-type': `multipart/form-data; boundary=${BORDER}` };
  const again = await leavingNothing(app, () =>
    app.request('POST', path, { headers: inParts, raw: bodyOf([field('a', 'x'), file('a.txt', 'one')]) }),
  );
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(idOf(again), idOf(first));
});
