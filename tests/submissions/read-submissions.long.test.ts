import assert from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { timeOrderedId } from '../../src/platform/ids.ts';
import { sealValue } from '../../src/platform/vault/sealed-column.ts';
import type { CustomerVault } from '../../src/platform/vault/vault.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { attachmentPath, auditOf, base64, download, readBack, submit, submitted } from './submitting.ts';

const BASES = ['/v1/forms', '/forms', ''];

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

type Query = Record<string, string>;

function list(formId: string, query: Query = {}, { key } = customer, base = '/v1/forms') {
  const search = new URLSearchParams(query).toString();
  return app.request('GET', `${base}/api/forms/${formId}/submissions?${search}`, { key });
}

/** The answers `n` of a page, in its order. */
async function numbers(formId: string, query: Query = {}): Promise<number[]> {
  const { status, body, text } = await list(formId, query);
  assert.equal(status, 200, text);
  return body.data.map(({ form_data }: { form_data: string }) => JSON.parse(form_data).n);
}

/** A form with so many submissions, a second apart, and their ids. */
async function filled(count: number, emailOf: (n: number) => string | undefined = () => undefined) {
  const formId = await addForm(app, customer.id, { form_json: {}, recipient: 'desk@example.com' });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    clock.advance(1_000);
    ids.push(await submitted(app, formId, { form_data: { n, email: emailOf(n) } }));
  }
  return { formId, ids };
}

/** A submission as it was kept before there was a limit. */
function sealAsBefore(keys: CustomerVault, id: string, content: string) {
  const raw = randomBytes(32);
  const place = { customerId: customer.id, table: 'submissions', row: id, column: 'sealed' };
  const sealed = sealValue(createSecretKey(raw), 1, place, content);
  return { sealed, key: keys.seal({ table: 'submission_keys', row: id, column: 'key' }, raw) };
}

test('a submission is read with every field in its type, alone and in the list, on every base', async () => {
  const formId = await addForm(app, customer.id, { form_json: {}, recipient: 'a@example.com,b@example.com' });
  const form_data = { email: 'Ann@Example.com', größe: '☤', deep: { list: [1.5, null, true] } };
  const id = await submitted(app, formId, {
    form_data,
    attachments: [{ name: 'a.txt', contentType: 'text/plain', content: base64('one') }],
  });
  const { attachments, attachment_url, form_data: text, ...rest } = await readBack(app, customer, formId, id);
  const { answers, ...plain } = rest;
  assert.equal(typeof text, 'string');
  assert.deepEqual(answers, form_data);
  assert.deepEqual(plain, {
    id,
    form_id: formId,
    storage_type: 'sealed',
    storage_url: null,
    submitter_email: 'Ann@example.com',
    recipients: 'a@example.com,b@example.com',
    sealed: null,
    attachment_name: 'a.txt',
    attachment_type: 'text/plain',
    attachment: null,
    created_at: clock.now().toISOString(),
    signature: null,
    signatures: [],
    awaiting_signatures: 0,
    form_version: 1,
    unasked: [],
    amended: false,
    amended_form_data: null,
    amendments: [],
    work_state: 'new',
    assignee_id: null,
    note_count: 0,
  });
  assert.deepEqual(Object.keys(attachments[0]), ['id', 'name', 'type', 'size', 'sha256', 'field']);
  assert.ok(attachment_url.endsWith(attachmentPath(formId, id, attachments[0].id)));
  const one = await app.request('GET', `/api/forms/${formId}/submissions/${id}`, { key: customer.key });
  for (const base of BASES) {
    const { status, body } = await list(formId, {}, customer, base);
    assert.equal(status, 200);
    assert.deepEqual(body, { data: [one.body.data], total: 1, page: 1, items: 50 });
    for (const spelling of [id.toUpperCase(), id.replaceAll('-', '')]) {
      const again = await app.request('GET', `${base}/api/forms/${formId.toUpperCase()}/submissions/${spelling}`, {
        key: customer.key,
      });
      assert.deepEqual(again.body, one.body);
    }
  }
});

test('pages follow each other without gap or overlap, newest first or oldest first', async () => {
  const { formId } = await filled(7);
  const page = (query: Query) => numbers(formId, { items: '3', ...query });
  assert.deepEqual([await page({}), await page({ page: '2' }), await page({ page: '3' })], [[6, 5, 4], [3, 2, 1], [0]]);
  assert.deepEqual(await page({ order: 'asc' }), [0, 1, 2]);
  assert.deepEqual(await page({ order: 'asc', page: '2' }), [3, 4, 5]);
  for (const beyond of ['4', '1000000', '2147483647', '9'.repeat(30)])
    assert.deepEqual(await page({ page: beyond }), []);
  for (const wrong of ['', '0', '-1', 'x', '1.5', 'NaN']) {
    const { body } = await list(formId, { page: wrong, items: wrong });
    assert.deepEqual([body.page, body.items, body.total, body.data.length], [1, 50, 7, 7], wrong);
  }
  for (const order of ['desc', 'ASC', '', 'x']) assert.deepEqual(await page({ order }), [6, 5, 4], order);
  for (const order_by of ['created_at', '', 'id', 'x; drop']) assert.deepEqual(await page({ order_by }), [6, 5, 4]);
});

test('a page holds 50 unless told otherwise, and 100 at most', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  await Promise.all(Array.from({ length: 101 }, (_, n) => submitted(app, formId, { form_data: { n } })));
  for (const [items, length] of [
    [undefined, 50],
    ['99', 99],
    ['100', 100],
    ['101', 100],
    ['2147483648', 100],
    ['9'.repeat(400), 100],
  ] as const) {
    const { body } = await list(formId, items === undefined ? {} : { items });
    assert.deepEqual([body.items, body.data.length, body.total], [length, length, 101], items);
  }
  const { body: last } = await list(formId, { items: '100', page: '2' });
  assert.equal(last.data.length, 1);
});

test('submissions are sorted by the address of whoever sent them, without regard to case', async () => {
  const addresses = ['Zoe@example.com', 'ann@example.com', undefined, 'Bob@example.com', 'ann@example.com'];
  const { formId } = await filled(5, (n) => addresses[n]);
  const order_by = 'submitter_email';
  assert.deepEqual(await numbers(formId, { order_by, order: 'asc' }), [2, 1, 4, 3, 0]);
  assert.deepEqual(await numbers(formId, { order_by }), [0, 3, 4, 1, 2]);
  assert.deepEqual(await numbers(formId, { order_by, order: 'asc', items: '2', page: '2' }), [4, 3]);
  assert.deepEqual(await numbers(formId, { order_by, submitter_email: 'ANN@example.com' }), [4, 1]);
});

test('submissions are sorted by address as long as a form has 50,000 at most, and refused beyond', async () => {
  const { formId } = await filled(1, () => 'ann@example.com');
  for (const [count, status] of [
    [50_000, 200],
    [50_001, 400],
  ] as const) {
    const query = 'update form_counts set submission_count = $2 where form_id = $1';
    await asOwner(app, (client) => client.query(query, [formId, count]));
    assert.equal((await list(formId, { order_by: 'submitter_email' })).status, status, `${count}`);
    assert.equal((await list(formId)).status, 200, 'in the order of time however many there are');
  }
});

test('submitter_email finds all of an address, whatever its case, and nothing that only resembles it', async () => {
  const { formId } = await filled(4, (n) => ['Ann@Example.com', 'ann@example.com', 'joann@example.com', ''][n]);
  for (const submitter_email of ['ann@example.com', 'ANN@EXAMPLE.COM', ' Ann@example.com ']) {
    const { body } = await list(formId, { submitter_email });
    assert.equal(body.total, 2, submitter_email);
    assert.deepEqual(await numbers(formId, { submitter_email }), [1, 0]);
  }
  for (const none of ['nn@example.com', 'ann@example', '%', "' or 1=1", 'ann@example.com,']) {
    assert.deepEqual(await numbers(formId, { submitter_email: none }), [], none);
  }
  assert.equal((await numbers(formId, { submitter_email: '' })).length, 4);
  const stored = await asOwner(app, async (client) =>
    JSON.stringify((await client.query('select s::text from submissions s where form_id = $1', [formId])).rows),
  );
  assert.ok(!/ann@example/i.test(stored));
});

/** A moment before now. */
function at(secondsAgo: number): string {
  return new Date(clock.now().getTime() - secondsAgo * 1_000).toISOString();
}

test('since is from and until is before a moment', async () => {
  const { formId } = await filled(5);
  assert.deepEqual(await numbers(formId, { since: at(2) }), [4, 3, 2]);
  assert.deepEqual(await numbers(formId, { until: at(2) }), [1, 0]);
  assert.deepEqual(await numbers(formId, { since: at(3), until: at(1), order: 'asc' }), [1, 2]);
  assert.deepEqual(await numbers(formId, { since: at(0) }), [4]);
  assert.deepEqual(await numbers(formId, { since: at(-1) }), []);
  assert.deepEqual(await numbers(formId, { since: at(1), until: at(3) }), []);
  assert.deepEqual((await list(formId, { since: at(3), until: at(1), items: '1' })).body.total, 2);
  for (const since of ['yesterday', '2026-13-01', 'NaN']) {
    const { status, body } = await list(formId, { since });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.fields), ['since']);
  }
  assert.equal((await numbers(formId, { since: '', until: '' })).length, 5);
});

test('submission_id restricts the list to one of the form', async () => {
  const { formId, ids } = await filled(2);
  const other = await filled(1);
  const [first = ''] = ids;
  for (const spelling of [first, first.toUpperCase(), first.replaceAll('-', '')]) {
    assert.deepEqual(await numbers(formId, { submission_id: spelling }), [0]);
  }
  for (const none of [randomUUID(), 'x', '7', `${first}0`, other.ids[0] as string]) {
    const { status, body } = await list(formId, { submission_id: none });
    assert.deepEqual([status, body.data, body.total], [200, [], 0], none);
  }
});

/** Every address at which submissions are read or destroyed. */
function places(form: string, id: string, file: string): [string, string][] {
  return [
    ['GET', `${form}/submissions`],
    ['GET', `${form}/submissions/${id}`],
    ['DELETE', `${form}/submissions/${id}`],
    ['GET', `${form}/submissions/submission-csv`],
    ['GET', `${form}/submissions/submission-csv/${id}`],
    ['GET', `${form}/submissions/submission-xlsx`],
    ['GET', `${form}/submissions/${id}/submission-pdf`],
    ['GET', `${form}/submissions/${id}/attachments/${file}`],
  ];
}

test('a form or submission of nobody is 404, and of another customer 403, at every address', async () => {
  const stranger = await app.createCustomer();
  const foreign = await addForm(app, stranger.id, { form_json: {} });
  const sent = { form_data: { a: 1 }, attachments: [{ name: 'a.txt', content: base64('theirs') }] };
  const theirs = await submitted(app, foreign, sent);
  const { attachments } = await readBack(app, stranger, foreign, theirs);
  const { formId, ids } = await filled(1);
  const [mine = ''] = ids;
  const ask = ([method, path]: [string, string], key = customer.key) =>
    app.request(method, `/v1/forms/api/forms/${path}`, { key });
  for (const place of places(foreign, theirs, attachments[0].id)) {
    assert.equal((await ask(place)).status, 403, place[1]);
    assert.equal((await app.request(place[0], `/v1/forms/api/forms/${place[1]}`)).status, 401, place[1]);
    const { key } = await app.createKey(stranger, ['email', 'marketing']);
    assert.equal((await ask(place, key)).status, 401, `${place[1]} without the scope`);
  }
  const withTheirs = places(formId, theirs, attachments[0].id).filter(([, path]) => path.includes(theirs));
  for (const place of withTheirs) assert.equal((await ask(place)).status, 403, place[1]);
  assert.equal((await ask(['GET', `${formId}/submissions/${mine}/attachments/${attachments[0].id}`])).status, 403);
  assert.equal((await list(formId, { submission_id: theirs })).status, 403);
  for (const nobody of [randomUUID(), 'x']) {
    for (const place of places(nobody, nobody, nobody)) assert.equal((await ask(place)).status, 404, place[1]);
    for (const place of places(formId, nobody, nobody).filter(([, path]) => path.includes(`/${nobody}`)))
      assert.equal((await ask(place)).status, 404, place[1]);
    assert.equal((await ask(['GET', `${formId}/submissions/${mine}/attachments/${nobody}`])).status, 404);
  }
  const other = await filled(1);
  for (const place of places(other.formId, mine, randomUUID()).filter(([, path]) => path.includes(mine)))
    assert.equal((await ask(place)).status, 404, 'a submission of another form');
  assert.equal((await readBack(app, stranger, foreign, theirs)).answers.a, 1);
});

test('a file is read whole and by every range', async () => {
  const bytes = randomBytes(70_000);
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: {}, attachments: [{ name: 'a.bin', content: base64(bytes) }] });
  const [file] = (await readBack(app, customer, formId, id)).attachments;
  const path = attachmentPath(formId, id, file.id);
  const whole = await download(app, customer, path);
  assert.equal(whole.status, 200);
  assert.ok(whole.bytes.equals(bytes));
  assert.deepEqual(
    ['content-length', 'accept-ranges', 'etag', 'content-range'].map((name) => whole.headers.get(name)),
    ['70000', 'bytes', `"${file.sha256}"`, null],
  );
  const part = async (range: string, start: number, end: number) => {
    const reply = await download(app, customer, path, { range });
    assert.equal(reply.status, 206, range);
    assert.equal(reply.headers.get('content-range'), `bytes ${start}-${end - 1}/70000`);
    assert.equal(reply.headers.get('content-length'), String(end - start));
    assert.ok(reply.bytes.equals(bytes.subarray(start, end)), range);
  };
  const place = fc.oneof(fc.nat(69_999), fc.constantFrom(0, 1, 16_383, 16_384, 16_385, 32_768, 65_535, 65_536, 69_999));
  await fc.assert(
    fc.asyncProperty(place, place, async (one, other) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)];
      await part(`bytes=${first}-${last}`, first, last + 1);
    }),
    { numRuns: 40 },
  );
  await fc.assert(
    fc.asyncProperty(place, (first) => part(`bytes=${first}-`, first, 70_000)),
    { numRuns: 8 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 70_000 }), (length) =>
      part(`bytes=-${length}`, 70_000 - length, 70_000),
    ),
    { numRuns: 8 },
  );
  await part('bytes=-100000', 0, 70_000);
  await part('bytes=69999-99999999999999999999', 69_999, 70_000);
  for (const range of ['bytes=70000-', 'bytes=70000-80000', 'bytes=-0', `bytes=${'9'.repeat(40)}-`]) {
    assert.equal((await download(app, customer, path, { range })).status, 416, range);
  }
  for (const range of ['bytes=5-4', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes=0-1,3-4', 'bytes=1--2', 'x']) {
    const reply = await download(app, customer, path, { range });
    assert.deepEqual([reply.status, reply.bytes.length], [200, 70_000], range);
  }
});

test('a range is given of the version that a client has begun, and nothing of what it has whole', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: {}, attachments: [{ name: 'a', content: base64('abcdef') }] });
  const [file] = (await readBack(app, customer, formId, id)).attachments;
  const ask = async (headers: Record<string, string>) => {
    const { status, bytes } = await download(app, customer, attachmentPath(formId, id, file.id), headers);
    return [status, bytes.toString()];
  };
  const tag = `"${file.sha256}"`;
  const range = 'bytes=1-2';
  assert.deepEqual(await ask({ range, 'if-range': tag }), [206, 'bc']);
  for (const other of ['"other"', `W/${tag}`, 'Wed, 21 Oct 2099 07:28:00 GMT']) {
    assert.deepEqual(await ask({ range, 'if-range': other }), [200, 'abcdef'], other);
    assert.deepEqual(await ask({ range: 'bytes=9-', 'if-range': other }), [200, 'abcdef'], other);
  }
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    assert.deepEqual(await ask({ 'if-none-match': known }), [304, ''], known);
    assert.deepEqual(await ask({ range, 'if-none-match': known }), [304, ''], known);
  }
  assert.deepEqual(await ask({ 'if-none-match': '"other"' }), [200, 'abcdef']);
});

test('an empty file is a file', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: {}, attachments: [{ name: 'a', content: '' }] });
  const [file] = (await readBack(app, customer, formId, id)).attachments;
  const { status, headers, bytes } = await download(app, customer, attachmentPath(formId, id, file.id));
  assert.deepEqual([status, headers.get('content-length'), bytes.length], [200, '0', 0]);
});

test('a file is saved under a safe name and never runs as a page', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  for (const [name, saved] of [
    ['evil".html', 'filename="evil_.html"; filename*=UTF-8\'\'evil_.html'],
    ['a;b\\c.txt', 'filename="c.txt"; filename*=UTF-8\'\'c.txt'],
    ['größe.txt', 'filename="große.txt"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.txt'],
    ['☤', 'filename="attachment"; filename*=UTF-8\'\'%E2%98%A4'],
  ] as const) {
    const content = base64('<script>alert(1)</script>');
    const attachments = [{ name, contentType: 'text/html', content }];
    const id = await submitted(app, formId, { form_data: {}, attachments });
    const [file] = (await readBack(app, customer, formId, id)).attachments;
    const { headers } = await download(app, customer, attachmentPath(formId, id, file.id));
    const disposition = headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename="[ -!#-~]+"; filename\*=UTF-8''[\w.%!#$&+^`|~-]+$/);
    if (!name.includes('ß')) assert.equal(disposition, `attachment; ${saved}`);
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
  }
});

test('reading stays possible when the agreement has ended', async () => {
  const owner = await app.createCustomer();
  const formId = await addForm(app, owner.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: { n: 7 } });
  await asOwner(app, (client) => client.query('delete from agreements where customer_id = $1', [owner.id]));
  assert.equal((await submit(app, formId, { form_data: {} })).status, 404);
  assert.equal((await list(formId, {}, owner)).body.total, 1);
  assert.equal((await readBack(app, owner, formId, id)).answers.n, 7);
  for (const rest of ['submission-csv', 'submission-xlsx', `${id}/submission-pdf`]) {
    const { status } = await download(app, owner, `/api/forms/${formId}/submissions/${rest}`);
    assert.equal(status, 200, rest);
  }
});

test('each read is in the audit log with ids and without values, and the log of the server has neither', async () => {
  const owner = await app.createCustomer();
  const mark = `mark${randomUUID()}`;
  const formId = await addForm(app, owner.id, { title: mark, form_json: {} });
  const id = await submitted(app, formId, {
    form_data: { email: `${mark}@example.com`, [mark]: mark },
    attachments: [{ name: `${mark}.txt`, content: base64(mark) }],
    signature: { confirmed: true, name: mark },
  });
  clock.advance(10);
  const [file] = (await readBack(app, owner, formId, id)).attachments;
  const base = `/v1/forms/api/forms/${formId}/submissions`;
  const paths = [
    `?submitter_email=${mark}@example.com&since=2020-01-01T00:00:00Z`,
    '/submission-csv',
    `/submission-csv/${id}`,
    '/submission-xlsx',
    `/${id}/submission-pdf`,
    `/${id}/attachments/${file.id}`,
  ];
  for (const path of paths) {
    clock.advance(10);
    assert.equal((await download(app, owner, base + path)).status, 200, path);
  }
  const actions = ['submission.received', 'submission.read', 'submissions.listed', 'submissions.exported'];
  const log = await auditOf(app, owner, [...actions, 'submission.exported', 'attachment.read']);
  assert.deepEqual(
    log.map(({ actor_kind, action, target }) => [actor_kind, action, target]),
    [
      ['public', 'submission.received', id],
      ['key', 'submission.read', id],
      ['key', 'submissions.listed', formId],
      ['key', 'submissions.exported', formId],
      ['key', 'submission.exported', id],
      ['key', 'submissions.exported', formId],
      ['key', 'submission.exported', id],
      ['key', 'attachment.read', file.id],
    ],
  );
  const listed = log.find(({ action }) => action === 'submissions.listed');
  assert.deepEqual(listed?.details, { filters: ['submitterEmail', 'since'], page: 1, submissions: [id] });
  assert.ok(!JSON.stringify(log).includes(mark));
  assert.ok(!app.logged().includes(mark));
});

test('a page of more than one text can hold is sent whole, in its order', async () => {
  const { formId, ids } = await filled(2);
  const large = `{"answers":{"n":"${'\\u0001'.repeat(4_000_000)}"},"unasked":[],"files":[],"signature":null}`;
  const keys = await app.installation.vault.of(customer.id);
  await asOwner(app, async (client) => {
    for (let n = 0; n < 20; n += 1) {
      clock.advance(1_000);
      const id = timeOrderedId(clock);
      const { sealed, key } = sealAsBefore(keys, id, large);
      await client.query(
        `insert into submissions (id, customer_id, form_id, form_version, sealed, created_at)
          values ($1, $2, $3, 1, $4, $5)`,
        [id, customer.id, formId, sealed, clock.now()],
      );
      const add = 'insert into submission_keys (submission_id, customer_id, key) values ($1, $2, $3)';
      await client.query(add, [id, customer.id, key]);
      ids.push(id);
    }
    await client.query('update form_counts set submission_count = 22 where form_id = $1', [formId]);
  });
  const path = `${app.url}/api/forms/${formId}/submissions?order=asc`;
  const reply = await fetch(path, { headers: { authorization: `Bearer ${customer.key}` } });
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  const found: string[] = [];
  let [length, end] = [0, ''];
  for await (const piece of reply.body ?? []) {
    length += piece.length;
    end = end.slice(-200) + Buffer.from(piece).toString('latin1');
    found.push(...Array.from(end.matchAll(/"id":"([0-9a-f-]{36})","form_id"/g), ([, id = '']) => id));
  }
  assert.ok(length > 2 ** 29, String(length));
  assert.deepEqual([...new Set(found)], ids);
  assert.ok(end.endsWith('],"total":22,"page":1,"items":50}'));
});
