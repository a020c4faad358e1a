import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { INSTALLATION } from '../../src/accounts/index.ts';
import { readReceipt } from '../../src/forms/index.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { rawRequest } from '../support/raw-request.ts';
import { base64, idOf, leavingNothing, openLine, readBack, submit, submitted } from './submitting.ts';

const BASES = ['/v1/forms', '/forms', ''];
const LONGEST = 262_144_000;

let app: TestApp;
let customer: TestCustomer;
let anything: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  anything = await addForm(app, customer.id, { form_json: {} });
});

/** The keys that receipts are made with. */
const keysOf = (node: TestApp) => node.installation.vault.of(INSTALLATION);

const path = (formId: string, base = '/v1/forms') => `${base}/api/forms/${formId}/submissions`;

test('a submission is taken on every base with an empty body, an address, an id and a receipt', async () => {
  const keys = await keysOf(app);
  for (const base of BASES) {
    const begun = Date.now();
    const reply = await app.request('POST', path(anything, base), { body: { form_data: { a: 1, b: ['x', null] } } });
    assert.equal(reply.status, 201);
    assert.equal(reply.text, '');
    const id = idOf(reply);
    assert.equal(reply.headers.get('location'), `/v1/forms/api/forms/${anything}/submissions/${id}`);
    assert.equal(reply.headers.get('idempotency-replayed'), null);
    assert.equal(reply.headers.get('access-control-allow-origin'), '*');
    const receipt = reply.headers.get('submission-receipt') as string;
    const read = readReceipt(keys, receipt);
    assert.deepEqual({ ...read, received: '' }, { submission: id, form: anything, version: 1, received: '' });
    const received = Date.parse(read?.received ?? '');
    assert.ok(received >= begun && received <= Date.now());
    const { status, body } = await app.request('GET', reply.headers.get('location') as string, { key: customer.key });
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body.data.form_data), { a: 1, b: ['x', null] });
    assert.equal(body.data.created_at, read?.received);
  }
});

test('a receipt that was altered, cut, put together or signed by another installation is none', async () => {
  const keys = await keysOf(app);
  const receipts = await Promise.all(
    [1, 2].map(async (each) =>
      (await submit(app, anything, { form_data: { each } })).headers.get('submission-receipt'),
    ),
  );
  const [one, other] = receipts as [string, string];
  const [said = '', proof = ''] = one.split('.');
  assert.ok(readReceipt(keys, one));
  const forged = Buffer.from(said, 'base64url').toString().replace('"version":1', '"version":2');
  for (const wrong of [
    '',
    '.',
    said,
    `.${proof}`,
    `${said}.`,
    `${said}.${proof}.x`,
    `${said}.${other.split('.')[1]}`,
    `${base64(forged)}.${proof}`,
    `${said.slice(1)}.${proof}`,
    `${said}.${proof.slice(1)}`,
    `${said}.${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}`,
  ]) {
    assert.equal(readReceipt(keys, wrong), null, wrong);
  }
});

test('the receipt of one installation says nothing at another', async (t) => {
  const elsewhere = await startApp(t);
  const { headers } = await submit(app, anything, { form_data: {} });
  const receipt = headers.get('submission-receipt') as string;
  assert.equal(readReceipt(await keysOf(elsewhere), receipt), null);
});

test('a form that is not public is 404 for every reason alike, before the body is read', async () => {
  const stranger = await app.createCustomer({ agreement: false });
  const closed = async (change: 'archive' | 'delete') => {
    const id = await addForm(app, customer.id);
    const [method, rest] = change === 'delete' ? ['DELETE', ''] : ['POST', '/archive'];
    assert.equal((await app.request(method, `/api/forms/${id}${rest}`, { key: customer.key })).status, 200);
    return id;
  };
  const ids = {
    unknown: randomUUID(),
    inactive: await addForm(app, customer.id, { active: false }),
    archived: await closed('archive'),
    deleted: await closed('delete'),
    'without agreement': await addForm(app, stranger.id),
    malformed: 'x',
    number: '7',
    'too long': `${anything}0`,
    braces: `%7B${anything}%7D`,
    percent: '%25',
  };
  await leavingNothing(app, async () => {
    const texts = new Set<string>();
    for (const [name, id] of Object.entries(ids)) {
      for (const base of BASES) {
        // The body never comes: an answer shows that nobody waited for it.
        const { status, text } = await rawRequest(app.url, 'POST', path(id, base), { body: { announced: 1_000_000 } });
        assert.equal(status, 404, name);
        texts.add(text);
      }
      assert.equal((await submit(app, id, { form_data: {} })).status, 404, name);
    }
    assert.equal(texts.size, 1, 'nobody can tell why');
  });
  for (const spelling of [anything.toUpperCase(), anything.replaceAll('-', '')]) {
    assert.equal((await submit(app, spelling, { form_data: {} })).status, 201);
  }
});

test('a body that announces more than 250 MB is refused before it comes, and exactly 250 MB are not', async () => {
  await leavingNothing(app, async () => {
    const over = await rawRequest(app.url, 'POST', path(anything), { body: { announced: LONGEST + 1 } });
    assert.equal(over.status, 413);
    assert.equal(JSON.parse(over.text).errors[0].code, 413);
    // What has come of it is wrong already, and that is what is told.
    const { socket, answer } = await openLine(app);
    socket.write(`POST ${path(anything)} HTTP/1.1\r\nHost: x\r\nContent-Length: ${LONGEST}\r\n\r\n{}]`);
    assert.match(await answer, /^HTTP\/1\.1 400 /);
    socket.destroy();
  });
});

test('a body of no announced length is cut off past 250 MB, and taken up to there', async () => {
  const border = 'xyzzy';
  const head = Buffer.from(
    `--${border}\r\nContent-Disposition: form-data; name="form_data"\r\n\r\n{}\r\n--${border}\r\n` +
      'Content-Disposition: form-data; name="f"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${border}--\r\n`);
  const headers = { 'content-type': `multipart/form-data; boundary=${border}` };
  const piece = Buffer.alloc(2 ** 20, 'x');
  const bodyOf = (length: number) => {
    const file = length - head.length - tail.length;
    const whole = Array.from({ length: Math.floor(file / piece.length) }, () => piece);
    return { chunks: [head, ...whole, piece.subarray(0, file % piece.length), tail] };
  };
  await leavingNothing(app, async () => {
    const { status, text } = await rawRequest(app.url, 'POST', path(anything), { headers, body: bodyOf(LONGEST + 1) });
    assert.equal(status, 413, text);
  });
  const just = await rawRequest(app.url, 'POST', path(anything), { headers, body: bodyOf(LONGEST) });
  assert.equal(just.status, 201);
  const { attachments } = await readBack(app, customer, anything, just.headers['x-submission-id'] as string);
  assert.equal(attachments[0].size, LONGEST - head.length - tail.length);
});

test('a body is JSON, also where nothing says so; other types are refused', async () => {
  const raw = '{"form_data": {"größe": "ä"}}';
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/vnd.api+json',
    'application/json; charset=us-ascii',
  ]) {
    const reply = await app.request('POST', path(anything), {
      headers: { 'content-type': type },
      raw: Buffer.from(raw),
    });
    assert.equal(reply.status, 201, type);
    assert.deepEqual((await readBack(app, customer, anything, idOf(reply))).answers, { größe: 'ä' });
  }
  const untyped = await rawRequest(app.url, 'POST', path(anything), { body: raw });
  assert.equal(untyped.status, 201);
  const latin = Buffer.from(raw, 'latin1');
  const old = await app.request('POST', path(anything), {
    headers: { 'content-type': 'application/json' },
    raw: latin,
  });
  assert.deepEqual((await readBack(app, customer, anything, idOf(old))).answers, { größe: 'ä' });
  await leavingNothing(app, async () => {
    for (const [type, status] of [
      ['text/plain', 415],
      ['application/x-www-form-urlencoded', 415],
      ['multipart/mixed; boundary=x', 415],
      ['application/jsonp', 415],
      ['application/json; charset=utf-16', 415],
      ['application/json; charset=utf-8', 400],
    ] as const) {
      const reply = await app.request('POST', path(anything), { headers: { 'content-type': type }, raw: latin });
      assert.equal(reply.status, status, type);
    }
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    assert.equal((await app.request('POST', path(anything), { headers: packed, raw })).status, 415);
  });
});

test('form_data has to be an object, and a body that is none or broken says so', async () => {
  await leavingNothing(app, async () => {
    for (const body of [{}, { form_data: null }, { form_data: [] }, { form_data: [{}] }, { form_data: 'a=1' }]) {
      const reply = await submit(app, anything, body);
      assert.equal(reply.status, 400, JSON.stringify(body));
      assert.deepEqual(Object.keys(reply.body), ['message', 'detail', 'error', 'errors', 'fields']);
      assert.deepEqual(Object.keys(reply.body.fields), ['form_data']);
      assert.equal(reply.body.errors[0].code, 400);
      assert.equal(reply.headers.get('x-submission-id'), null);
    }
    for (const form_data of [0, 7, true, false, ''])
      assert.equal((await submit(app, anything, { form_data })).status, 400);
    for (const raw of [
      '',
      ' ',
      'null',
      '[]',
      '"x"',
      '{',
      '{"form_data":{}',
      '{"form_data":{}}x',
      '{"form_data":{}}{}',
      '{"form_data":{"a":"\u0001"}}',
      '{"form_data":{"a":"\\u0000"}}',
      '{"form_data":{"a":"\\ud800"}}',
      '{"form_data":{"__proto__":{"a":1}}}',
      `{"form_data":${'['.repeat(70)}${']'.repeat(70)}}`,
    ]) {
      const reply = await app.request('POST', path(anything), { headers: { 'content-type': 'application/json' }, raw });
      assert.equal(reply.status, 400, raw);
    }
  });
});

test('a key that stands twice is refused wherever it stands, however it is spelled', async () => {
  await leavingNothing(app, async () => {
    for (const raw of [
      '{"form_data":{"a":1},"form_data":{"a":2}}',
      '{"form_data":{"a":1,"a":1}}',
      '{"form_data":{"a":1,"\\u0061":1}}',
      '{"form_data":{"deep":[{"b":1,"b":2}]}}',
      '{"form_data":{},"attachments":[],"attachments":[{"name":"a","content":"QUJD"}]}',
      '{"form_data":{},"attachments":[{"name":"a","content":"QUJD","content":"QUJD"}]}',
    ]) {
      const reply = await app.request('POST', path(anything), { headers: { 'content-type': 'application/json' }, raw });
      assert.equal(reply.status, 400, raw);
    }
  });
});

test('ten thousand answers are taken and come back', async () => {
  const form_data = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field-${i}`, `value ${i}`]));
  const { answers } = await readBack(app, customer, anything, await submitted(app, anything, { form_data }));
  assert.deepEqual(answers, form_data);
});

test('what nobody knows beside form_data is ignored, and an empty form is a submission', async () => {
  const id = await submitted(app, anything, { form_data: {}, customer_id: 7, id: randomUUID(), more: [1] });
  const read = await readBack(app, customer, anything, id);
  assert.deepEqual(read.answers, {});
  assert.equal(read.submitter_email, null);
  assert.deepEqual(read.attachments, []);
});

const FIELDS: [Record<string, unknown>, (mark: string) => unknown][] = [
  [{ type: 'text', name: 'short', maxLength: 3 }, (mark) => mark],
  [{ type: 'long_text', name: 'long' }, (mark) => ({ mark })],
  [{ type: 'number', name: 'number' }, (mark) => mark],
  [{ type: 'email', name: 'mail' }, (mark) => mark],
  [{ type: 'phone', name: 'phone' }, (mark) => mark],
  [{ type: 'date', name: 'date' }, (mark) => mark],
  [{ type: 'time', name: 'time' }, (mark) => mark],
  [{ type: 'address', name: 'address' }, (mark) => [mark]],
  [{ type: 'select', name: 'select', options: ['a', 'b'] }, (mark) => mark],
  [{ type: 'radio', name: 'radio', options: ['a', 'b'] }, (mark) => mark],
  [{ type: 'checkboxes', name: 'boxes', options: ['a', 'b'] }, (mark) => [mark]],
  [{ type: 'yes/no', name: 'yes' }, (mark) => mark],
  [{ type: 'rating', name: 'rating' }, (mark) => mark],
  [{ type: 'matrix', name: 'grid', rows: ['r'], columns: ['c'] }, (mark) => ({ r: mark })],
  [{ type: 'consent', name: 'consent' }, (mark) => mark],
  [{ type: 'repeating group', name: 'group', fields: [{ type: 'number', name: 'n' }] }, (mark) => [{ n: mark }]],
  [{ type: 'file', name: 'scan', required: true, accept: ['image/png'] }, (mark) => `${mark}.pdf`],
  [{ type: 'text', name: 'missing', required: true }, () => ' '],
];

test('answers that fail their questions are named and never repeated', async () => {
  const formId = await addForm(app, customer.id, { form_json: { fields: FIELDS.map(([field]) => field) } });
  const mark = `mark${randomUUID()}`;
  const form_data = Object.fromEntries(FIELDS.map(([{ name }, wrong]) => [name, wrong(mark)]));
  const attachments = [{ name: `${mark}.pdf`, content: base64(`%PDF-1.7 ${mark}`), field: 'scan' }];
  const reply = await leavingNothing(app, () => submit(app, formId, { form_data, attachments }));
  assert.equal(reply.status, 400);
  const names = FIELDS.map(([{ name }]) => (name === 'group' ? 'group.0.n' : String(name)));
  assert.deepEqual(Object.keys(reply.body.fields), names);
  for (const rules of Object.values(reply.body.fields)) assert.match(String(rules), /^Please /);
  assert.ok(!reply.text.includes(mark));
  assert.ok(!app.logged().includes(mark));
});

test('answers are kept as what they are, and those that nobody asked for are kept and marked', async () => {
  const formId = await addForm(app, customer.id, { form_json: { fields: FIELDS.slice(2, 4).map(([field]) => field) } });
  const form_data = { number: ' 12.5 ', mail: ' ann@example.com ', extra: { deep: [1] }, constructor: 'x' };
  const read = await readBack(app, customer, formId, await submitted(app, formId, { form_data }));
  assert.deepEqual(read.answers, {
    number: 12.5,
    mail: 'ann@example.com',
    extra: { deep: [1] },
    constructor: 'x',
  });
  assert.deepEqual(read.unasked, ['extra', 'constructor']);
  assert.equal(read.submitter_email, 'ann@example.com');
});

test('a form of unknown shape takes anything', async () => {
  for (const form_json of [null, {}, { widgets: [{ type: 'number', name: 'n', required: true }] }]) {
    const formId = await addForm(app, customer.id, { form_json });
    const form_data = { n: 'no number', email: 'Ann <ann@example.com>', deep: { list: [[], {}, null, 1e300] } };
    const read = await readBack(app, customer, formId, await submitted(app, formId, { form_data }));
    assert.deepEqual(read.answers, form_data);
    assert.deepEqual(read.unasked, []);
    assert.equal(read.submitter_email, 'ann@example.com');
  }
});

test('the submitter is the first who is named at a question for an email, else whoever is named as email', async () => {
  const asked = [
    { name: 'email', type: 'text' },
    { name: 'guardian', type: 'email' },
    { name: 'patient', type: 'email' },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields: asked } });
  const [email, guardian, patient] = ['text@example.com', 'guardian@example.com', 'patient@example.com'];
  for (const [form_data, submitter] of [
    [{ email, patient, guardian }, guardian],
    [{ email, patient, guardian: ' ' }, patient],
    [{ email, guardian: null }, email],
    [{ email: ' ' }, null],
  ] as const) {
    const read = await readBack(app, customer, formId, await submitted(app, formId, { form_data }));
    assert.equal(read.submitter_email, submitter, JSON.stringify(form_data));
  }
});

test('form_version pins a submission to the version that was filled in', async () => {
  const first = { fields: [{ type: 'number', name: 'n', required: true }] };
  const formId = await addForm(app, customer.id, { form_json: first });
  const changed = { form_json: { fields: [{ type: 'email', name: 'mail', required: true }] } };
  const { status } = await app.request('PUT', `/api/forms/${formId}`, { key: customer.key, body: changed });
  assert.equal(status, 200);
  const old = { form_data: { n: 5 } };
  const current = { form_data: { mail: 'a@example.com' } };
  assert.deepEqual(Object.keys((await submit(app, formId, old)).body.fields), ['mail']);
  const wrong = await submit(app, formId, { ...current, form_version: 1 });
  assert.deepEqual(Object.keys(wrong.body.fields), ['n']);
  for (const [body, version] of [
    [{ ...old, form_version: 1 }, 1],
    [{ ...old, form_version: '1' }, 1],
    [current, 2],
    [{ ...current, form_version: 2 }, 2],
    [{ ...current, form_version: null }, 2],
    [{ ...current, form_version: '' }, 2],
  ] as const) {
    const read = await readBack(app, customer, formId, await submitted(app, formId, body));
    assert.equal(read.form_version, version);
  }
  await leavingNothing(app, async () => {
    for (const form_version of [0, 3, -1, 1.5, '3', 'x', true, {}, [1], 2 ** 31, 1e300]) {
      const reply = await submit(app, formId, { ...current, form_version });
      assert.equal(reply.status, 400, JSON.stringify(form_version));
      assert.deepEqual(Object.keys(reply.body.fields), ['form_version']);
    }
  });
});

test('a form takes so many submissions in a time and then says when to come again', async (t) => {
  const limited = await startApp(t, { env: { CAREPOST_LIMITS: 'form=3/60s,free-disk=1MB' } });
  const { id } = await limited.createCustomer();
  const [one, other] = [await addForm(limited, id), await addForm(limited, id)];
  const replies = await Promise.all(Array.from({ length: 5 }, () => submit(limited, one, { form_data: {} })));
  assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), ['201', '201', '201', '429', '429']);
  for (const reply of replies.filter(({ status }) => status === 429)) {
    assert.match(reply.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
    assert.equal(reply.body.errors[0].code, 429);
  }
  const unread = await rawRequest(limited.url, 'POST', path(one), { body: { announced: 1_000 } });
  assert.equal(unread.status, 429, 'before the body has come');
  assert.equal((await submit(limited, other, { form_data: {} })).status, 201);
});
