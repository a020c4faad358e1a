import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { messageTo } from '../support/mail.ts';

let app: TestApp;
let customer: TestCustomer;

before(async (context) => {
  app = await startApp(context as TestContext);
  customer = await app.createCustomer();
});

function sendBulk(messages: unknown, headers: Record<string, string> = {}) {
  return app.request('POST', '/v1/email/bulk_messages', { key: customer.key, headers, body: { data: { messages } } });
}

function some(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => messageTo(`patient-${index}@example.com`));
}

function withTemplate(id: unknown): Record<string, unknown> {
  return messageTo('a@example.com', { template_id: id, template_variables: { x: 1 } });
}

async function stored(): Promise<Record<string, number>> {
  return withConnection(app.installation.ownerUrl, async (client) => {
    const counts: Record<string, number> = {};
    for (const table of ['messages', 'message_contents', 'message_recipients', 'audit_log', 'blobs']) {
      counts[table] = Number((await client.query(`select count(*) as n from ${table}`)).rows[0].n);
    }
    return counts;
  });
}

test('fifty messages are accepted together, in order, in one transaction and with one audit entry', async () => {
  const earlier = await stored();
  const messages = some(50).map((message, index) => ({
    ...message,
    headers: { from: 'clinic@example.org', 'X-Number': String(index) },
  }));
  const { status, body } = await sendBulk(messages);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['messages']);
  assert.deepEqual(
    body.messages.map((each: { customHeaders: Record<string, string> }) => each.customHeaders['X-Number']),
    messages.map((_, index) => String(index)),
  );
  for (const each of body.messages) assert.equal(each.data, 'Service OK');
  const ids = body.messages.map((each: { sourceTrackingId: string }) => each.sourceTrackingId);
  assert.equal(new Set(ids).size, 50);
  const now = await stored();
  assert.equal(now.messages, (earlier.messages as number) + 50);
  assert.equal(now.audit_log, (earlier.audit_log as number) + 1);
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select count(distinct xmin::text) as transactions from messages where id = any($1)', [ids]),
  );
  assert.equal(rows[0].transactions, 1);
});

test('none, more than fifty, or one bad message among good ones: 400, and nothing is stored', async () => {
  const earlier = await stored();
  const bad = some(8);
  bad[2] = messageTo('no address');
  bad[5] = { recipients: ['a@example.com'] };
  bad[7] = 7 as unknown as Record<string, unknown>;
  const { status, body } = await sendBulk(bad);
  assert.equal(status, 400);
  const [{ details }] = body.errors;
  for (const index of [2, 5, 7]) assert.ok(details.includes(`messages[${index}]`), details);
  for (const index of [0, 1, 3, 4, 6]) assert.ok(!details.includes(`messages[${index}]`), details);
  assert.ok(!details.includes('no address'));
  for (const messages of [[], some(51), 'none', null, {}]) assert.equal((await sendBulk(messages)).status, 400);
  const large = { fileName: 'a', contentType: 'a/b', content: Buffer.alloc(300_000).toString('base64') };
  assert.equal((await sendBulk([messageTo('a@example.com', { attachments: [large] }), {}])).status, 400);
  assert.deepEqual(await stored(), earlier);
});

test('each message may have a template of its own, and one that it may not have refuses them all with 400', async () => {
  const other = await app.createCustomer();
  const create = (key: string, name: string) =>
    app.request('POST', '/v1/email/dynamic_templates', { key, body: { name, body: `<p>${name} {{x}}</p>` } });
  const own = (await create(customer.key, 'own')).body.id;
  const foreign = (await create(other.key, 'foreign')).body.id;
  assert.equal((await sendBulk([withTemplate(own), withTemplate('own'), ...some(1)])).status, 200);
  const earlier = await stored();
  const nowhere = 'a name that nothing has';
  for (const [bad, details] of [
    [withTemplate(foreign), 'messages[1]: The resource belongs to another customer'],
    [withTemplate(nowhere), 'messages[1]: No such template'],
    [withTemplate(999_999), 'messages[1]: No such template'],
    [messageTo('a@example.com', { headers: {} }), 'messages[1]: headers.from: is not a valid address'],
  ] as const) {
    const { status, body } = await sendBulk([withTemplate(own), bad, ...some(1)]);
    assert.equal(status, 400);
    assert.deepEqual(body.errors, [{ code: 400, title: 'The request is not valid', details }]);
  }
  const together = await sendBulk([withTemplate(nowhere), ...some(1), withTemplate(foreign)]);
  assert.equal(together.status, 400);
  assert.equal(
    together.body.errors[0].details,
    'messages[0]: No such template; messages[2]: The resource belongs to another customer',
  );
  assert.deepEqual(await stored(), earlier);
});

test('a batch repeated under its key is accepted once and answered alike', async () => {
  const key = { 'idempotency-key': 'batch-1' };
  const first = await sendBulk(some(3), key);
  const earlier = await stored();
  const second = await sendBulk(some(3), key);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal((await sendBulk(some(2), key)).status, 409);
  assert.deepEqual(await stored(), earlier);
});
