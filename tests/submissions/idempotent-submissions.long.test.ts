import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { addOpenForm } from '../page/page-requests.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { base64, growth, idOf, kept, leavingNothing, submit } from './submitting.ts';

const HOUR = 3600_000;
const ONE_MORE = { submissions: 1, keys: 1, files: 1, blobs: 1, counted: 1, audited: 1, onDisk: 1 };

const clock = createMovableClock();
let app: TestApp;
let nodes: [TestApp, TestApp];
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  nodes = [app, await startApp(t as TestContext, { clock, beside: app })];
  customer = await app.createCustomer();
  const fields = [
    { type: 'number', name: 'n' },
    { type: 'file', name: 'scan' },
  ];
  formId = await addForm(app, customer.id, { form_json: { fields } });
});

function post(key: string, body: unknown, form = formId, node = app) {
  return submit(node, form, body, { 'idempotency-key': key });
}

const bodyWith = (n: unknown, text: string | Buffer = 'one') => ({
  form_data: { n, email: 'ann@example.com' },
  attachments: [{ name: 'a.txt', content: base64(text) }],
});

const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true';

test('the same key and submission answer the first reply again, and the files of the second leave', async () => {
  const key = randomUUID();
  const first = await post(key, bodyWith(1));
  assert.equal(first.status, 201);
  assert.ok(!isReplay(first));
  for (const node of nodes) {
    clock.advance(1_000);
    const again = await leavingNothing(app, () => post(key, bodyWith(1), formId, node));
    assert.equal(again.status, 201);
    assert.ok(isReplay(again));
    assert.equal(again.text, '');
    for (const name of ['x-submission-id', 'location', 'submission-receipt']) {
      assert.equal(again.headers.get(name), first.headers.get(name), name);
    }
  }
});

test('another submission under the same key is a conflict, and nothing of it stays', async () => {
  const key = randomUUID();
  const signature = { confirmed: true, name: 'Ann' };
  assert.equal((await post(key, bodyWith(1))).status, 201);
  for (const other of [
    bodyWith(2),
    bodyWith(1, 'two'),
    { ...bodyWith(1), attachments: [{ name: 'b.txt', content: base64('one') }] },
    { ...bodyWith(1), attachments: [{ name: 'a.txt', content: base64('one'), field: 'scan' }] },
    { ...bodyWith(1), attachments: [] },
    { ...bodyWith(1), signature },
    { ...bodyWith(1), form_version: 1 },
    { form_data: {} },
  ]) {
    const reply = await leavingNothing(app, () => post(key, other));
    assert.equal(reply.status, 409, JSON.stringify(other));
    assert.equal(reply.headers.get('x-submission-id'), null);
  }
});

test('a key belongs to a form and lasts a day', async () => {
  const key = randomUUID();
  const other = await addForm(app, customer.id);
  const first = await post(key, bodyWith(1));
  const elsewhere = await post(key, bodyWith(1), other);
  assert.equal(elsewhere.status, 201);
  assert.ok(!isReplay(elsewhere));
  assert.notEqual(idOf(elsewhere), idOf(first));
  clock.advance(24 * HOUR - 60_000);
  assert.equal(idOf(await post(key, bodyWith(1))), idOf(first));
  clock.advance(2 * 60_000);
  const later = await post(key, bodyWith(1));
  assert.ok(!isReplay(later));
  assert.notEqual(idOf(later), idOf(first));
});

test('of many at once with one key, on two nodes, one is written and all answer it', async () => {
  const first = await kept(app);
  const key = randomUUID();
  const body = bodyWith(1, randomBytes(400_000));
  const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => post(key, body, formId, nodes[at % 2])));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
  assert.equal(new Set(replies.map(idOf)).size, 1);
  assert.equal(replies.filter((reply) => !isReplay(reply)).length, 1);
  assert.deepEqual(growth(first, await kept(app)), ONE_MORE);
});

test('of many at once with one key, on two nodes, none is told that the one answer of a form is taken', async () => {
  for (let form = 0; form < 4; form += 1) {
    const only = await addOpenForm(app, customer, { most_submissions: 1 });
    const key = randomUUID();
    const body = { form_data: { name: 'Ann' } };
    const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => post(key, body, only, nodes[at % 2])));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal(new Set(replies.map(idOf)).size, 1);
  }
});

test('of two different ones at once with one key, one is written and one conflicts', async () => {
  const first = await kept(app);
  const key = randomUUID();
  const replies = await Promise.all([1, 2].map((n) => post(key, bodyWith(n))));
  assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), ['201', '409']);
  assert.deepEqual(growth(first, await kept(app)), ONE_MORE);
});

test('a refusal is kept like an answer', async () => {
  const key = randomUUID();
  const first = await leavingNothing(app, () => post(key, bodyWith('no number')));
  assert.equal(first.status, 400);
  const again = await leavingNothing(app, () => post(key, bodyWith('no number')));
  assert.equal(again.status, 400);
  assert.deepEqual(again.body, first.body);
  assert.ok(isReplay(again) && !isReplay(first));
  assert.equal((await leavingNothing(app, () => post(key, bodyWith(1)))).status, 409);
});

test('the refusal of a submission that cannot be read is kept too', async () => {
  const attachments = [{ name: 'a.txt', content: base64('one') }];
  for (const unread of [{ attachments }, { form_data: [], attachments }, { form_data: {}, form_version: 'x' }]) {
    const key = randomUUID();
    const first = await leavingNothing(app, () => post(key, unread));
    assert.equal(first.status, 400);
    assert.ok(!isReplay(first));
    for (const node of nodes) {
      const again = await leavingNothing(app, () => post(key, unread, formId, node));
      assert.equal(again.status, 400);
      assert.deepEqual(again.body, first.body);
      assert.ok(isReplay(again));
    }
    const otherFile = { ...unread, attachments: [{ name: 'a.txt', content: base64('two') }] };
    assert.equal((await leavingNothing(app, () => post(key, otherFile))).status, 409);
    assert.equal((await leavingNothing(app, () => post(key, bodyWith(1)))).status, 409);

    const taken = randomUUID();
    assert.equal((await post(taken, bodyWith(1))).status, 201);
    assert.equal((await leavingNothing(app, () => post(taken, unread))).status, 409);
  }
});

test('a key that is empty or too long is refused', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const reply = await leavingNothing(app, () => post(key, bodyWith(1)));
    assert.equal(reply.status, 400, String(key.length));
  }
  assert.equal((await post('x'.repeat(255), bodyWith(1))).status, 201);
});
