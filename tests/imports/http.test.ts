import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { createList, IMPORTS, importFile, look, people, send, settled } from './support.ts';

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

const FILE = 'email,first_name\na@example.com,Ann\nnobody,\n';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

test('settings that are wrong are refused by name', async () => {
  const customer = await app.createCustomer();
  for (const [settings, field] of [
    [{ mapping: 'no json' }, 'mapping'],
    [{ mapping: '[]' }, 'mapping'],
    [{ mapping: '{"a":7}' }, 'mapping'],
    [{ encoding: 'ebcdic' }, 'encoding'],
    [{ delimiter: 'x' }, 'delimiter'],
    [{ dry_run: 'y' }, 'dry_run'],
    [{ has_header: 'n' }, 'has_header'],
    [{ start_drips: 'maybe' }, 'start_drips'],
    [{ consent_text: 'x'.repeat(10_001) }, 'consent_text'],
    [{ dryRun: 'true' }, 'query'],
    [{ dry_run: 'true', listId: '1' }, 'query'],
  ] as const) {
    const { status, body } = await send(app, customer, FILE, settings);
    assert.deepEqual([status, Object.keys(body.details)], [400, [field]]);
  }
  for (const values of ['true&dry_run=false', 'false&dry_run=true', 'true&dry_run=true']) {
    const { status, body } = await app.request('POST', `${IMPORTS}?dry_run=${values}`, {
      key: customer.key,
      headers: { 'content-type': 'text/csv' },
      raw: FILE,
    });
    assert.deepEqual([status, Object.keys(body.details)], [400, ['dry_run']], values);
  }
  assert.equal((await send(app, customer, FILE, { consent_text: 'x'.repeat(10_000) })).status, 201);
});

test('a list of another customer, or of nobody, is refused and no file stays', async () => {
  const [customer, other] = [await app.createCustomer(), await app.createCustomer()];
  const foreign = await createList(app, other);
  assert.equal((await send(app, customer, FILE, { subscription_list_id: String(foreign) })).status, 403);
  assert.equal((await send(app, customer, FILE, { subscription_list_id: '999999' })).status, 404);
  assert.equal((await send(app, customer, FILE, { subscription_list_id: 'x' })).status, 404);
  const { body } = await app.request('GET', IMPORTS, { key: customer.key });
  assert.deepEqual(body, { data: [], page_info: { count: 0, pages: 0, page: 1, items: 100 } });
});

test('an import is nothing to another customer', async () => {
  const [customer, other] = [await app.createCustomer(), await app.createCustomer()];
  const { id } = await importFile(app, customer, FILE);
  for (const [method, rest] of [
    ['GET', ''],
    ['GET', '/rejects'],
    ['GET', '/rejects/csv'],
    ['POST', '/start'],
    ['POST', '/undo'],
  ] as const) {
    const ask = (wanted: string) => app.request(method, `${IMPORTS}/${wanted}${rest}`, { key: other.key });
    assert.deepEqual(
      [(await ask(id)).status, (await ask(randomUUID())).status, (await ask('1')).status],
      [403, 404, 404],
      rest,
    );
  }
});

test('other media types, empty files and bodies above 250 MB are refused', async () => {
  const customer = await app.createCustomer();
  const post = (headers: Record<string, string>, raw = FILE) =>
    app.request('POST', IMPORTS, { key: customer.key, headers, raw });
  assert.equal((await post({ 'content-type': 'application/json' })).status, 415);
  assert.equal((await post({ 'content-type': 'text/csv' }, '')).status, 400);
  for (const type of ['application/octet-stream', 'text/csv; charset=utf-8', 'application/vnd.ms-excel']) {
    assert.equal((await post({ 'content-type': type })).status, 201, type);
  }
  const reply = await new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const headers = {
      authorization: `Bearer ${customer.key}`,
      'content-type': 'text/csv',
      'content-length': '262144001',
    };
    const asked = request({ hostname, port, path: IMPORTS, method: 'POST', headers }, (answer) => {
      resolve(answer.statusCode ?? 0);
      asked.destroy();
    });
    asked.on('error', reject).write('email\n');
  });
  assert.equal(reply, 413);
});

test('a form may carry the file, one and no more', async () => {
  const customer = await app.createCustomer();
  const form = (...files: string[]) => {
    const body = new FormData();
    for (const file of files) body.append('file', new Blob([file]), 'people.csv');
    return fetch(app.url + IMPORTS, { method: 'POST', headers: { authorization: `Bearer ${customer.key}` }, body });
  };
  const reply = await form(FILE);
  assert.equal(reply.status, 201);
  const { data } = (await reply.json()) as { data: { id: string } };
  assert.equal((await settled(app, customer, data.id)).attributes.created, 1);
  assert.deepEqual([(await form()).status, (await form(FILE, FILE)).status], [400, 400]);
});

test('a setting that stands in the form is refused, wherever it stands, so that no try-out becomes an import', async () => {
  const customer = await app.createCustomer();
  for (const order of [
    ['dry_run', 'file'],
    ['file', 'dry_run'],
  ]) {
    const body = new FormData();
    for (const field of order) {
      if (field === 'file') body.append('file', new Blob([FILE]), 'people.csv');
      else body.append(field, 'true');
    }
    const headers = { authorization: `Bearer ${customer.key}` };
    const reply = await fetch(app.url + IMPORTS, { method: 'POST', headers, body });
    const { details } = (await reply.json()) as { details: object };
    assert.deepEqual([reply.status, details], [400, { dry_run: ['is said in the address, not in the form'] }]);
  }
  const { body } = await app.request('GET', IMPORTS, { key: customer.key });
  assert.deepEqual(body.data, []);
});

test('imports are listed by pages, the newest first', async () => {
  const customer = await app.createCustomer();
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) made.unshift((await send(app, customer, FILE)).body.data.id);
  const list = async (query: string) => (await app.request('GET', `${IMPORTS}?${query}`, { key: customer.key })).body;
  const [first, second, all] = [await list('items=2'), await list('items=2&page=2'), await list('')];
  assert.deepEqual([ids(first), ids(second), ids(all)], [made.slice(0, 2), made.slice(2), made]);
  assert.deepEqual(second.page_info, { count: 3, pages: 2, page: 2, items: 2 });
  assert.deepEqual(Object.keys((await list('items=1001')).details), ['items']);
  assert.deepEqual(Object.keys((await list('page=0')).details), ['page']);
});

test('an Idempotency-Key imports once', async () => {
  const customer = await app.createCustomer();
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'once' };
  const post = (raw: string) => app.request('POST', IMPORTS, { key: customer.key, headers, raw });
  const [first, second, other] = [await post(FILE), await post(FILE), await post(`${FILE}b@example.com,B\n`)];
  assert.deepEqual([first.status, second.status, other.status], [201, 201, 409]);
  assert.equal(second.body.data.id, first.body.data.id);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  const { body } = await app.request('GET', IMPORTS, { key: customer.key });
  assert.equal(body.data.length, 1);
});

test('progress is told, and rejected rows as JSON or CSV', async () => {
  const customer = await app.createCustomer();
  const told = await importFile(app, customer, FILE);
  const { attributes } = await look(app, customer, told.id);
  const { state, bytes, bytes_done, rows_done, skipped, failure } = attributes;
  assert.deepEqual(
    { state, bytes, bytes_done, rows_done, skipped, failure },
    { state: 'done', bytes: FILE.length, bytes_done: FILE.length, rows_done: 2, skipped: 1, failure: null },
  );
  const asCsv = await app.request('GET', `${IMPORTS}/${told.id}/rejects/csv`, { key: customer.key });
  assert.equal(asCsv.text, 'line,reasons\r\n3,"email is not a valid address"\r\n');
  const asJson = await app.request('GET', `${IMPORTS}/${told.id}/rejects`, { key: customer.key });
  assert.deepEqual(asJson.body, { data: [{ line: 3, reasons: ['email is not a valid address'] }] });
  const later = await app.request('GET', `${IMPORTS}/${told.id}/rejects?after_line=3`, { key: customer.key });
  assert.deepEqual(later.body, { data: [] });
});

test('without an agreement nobody is imported, and the file of an import goes when it is done', async () => {
  const customer = await app.createCustomer({ agreement: false });
  assert.equal((await send(app, customer, FILE)).status, 403);
  assert.deepEqual(await people(app, customer), []);
  const covered = await app.createCustomer();
  await importFile(app, covered, FILE);
  const blobs = () =>
    app.installation.db.tenant([covered.id], (tx) =>
      tx.selectFrom('blobs').select('id').where('customer_id', '=', covered.id).execute(),
    );
  assert.deepEqual(await blobs(), []);
  await importFile(app, covered, FILE, { dry_run: 'true' });
  assert.equal((await blobs()).length, 1, 'that of a dry run stays for what may follow');
});
