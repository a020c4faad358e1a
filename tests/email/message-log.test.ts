import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { sweepContents } from '../../src/email/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { deliveredReceipt, messageTo, send } from '../support/mail.ts';

let app: TestApp;
let customer: TestCustomer;

before(async (context) => {
  app = await startApp(context as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
});

function list(query: string, key = customer.key) {
  return app.request('GET', `/v1/email/message_log${query}`, { key });
}

function idsOf({ body }: { body: { data: { sourceTrackingId: string }[] } }): string[] {
  return body.data.map((each) => each.sourceTrackingId);
}

function inDays(days: number) {
  return { now: () => new Date(Date.now() + days * 24 * 3600_000) };
}

test('the log is paged newest first, and gives every message once', async () => {
  const own = await app.createCustomer();
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1) ids.push(await send(app, own.key, messageTo(`p${count}@example.com`)));
  assert.deepEqual(idsOf(await list('', own.key)), ids.toReversed());
  for (const limit of [1, 2, 3, 7, 100]) {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const page = await list(`?limit=${limit}&after=${after}`, own.key);
      seen.push(...idsOf(page));
      if (page.body.next === null) break;
      after = page.body.next;
    }
    assert.deepEqual(seen, ids.toReversed());
  }
});

test('the log is searched by state, recipient and time', async () => {
  const to = 'Findable@Example.com';
  const message = messageTo('one@example.com', { bcc: [to] });
  const start = new Date().toISOString();
  const id = await send(app, customer.key, message);
  await deliveredReceipt(app, customer.key, id);
  assert.deepEqual(idsOf(await list(`?to=${encodeURIComponent('findable@example.com')}`)), [id]);
  assert.deepEqual(idsOf(await list('?to=one%40example.com&state=delivered')), [id]);
  assert.deepEqual(idsOf(await list('?to=one%40example.com&state=bounced')), []);
  assert.deepEqual(idsOf(await list('?to=nobody%40example.com')), []);
  assert.deepEqual(idsOf(await list(`?since=${start}`)), [id]);
  assert.deepEqual(idsOf(await list(`?until=${start}&to=one%40example.com`)), []);
  assert.deepEqual(idsOf(await list('?state=&to=&since=&until=&after=&limit=')), idsOf(await list('')));
  for (const query of ['?state=lost', '?to=nonsense', '?limit=x', '?since=yesterday']) {
    assert.equal((await list(query)).status, 400, query);
  }
  assert.equal((await list('?after=nonsense')).status, 404);
});

test('one message shows its life, every attempt and its content, and the reading is written down', async () => {
  const content = { 'text/plain': 'Plain.', 'text/html': '<p>Rich.</p>' };
  const attachments = [
    { fileName: 'a.txt', contentType: 'text/plain', content: Buffer.from('small').toString('base64') },
    { fileName: 'b.bin', contentType: 'a/b', content: Buffer.alloc(300_000, 7).toString('base64') },
  ];
  const id = await send(app, customer.key, messageTo('ann@example.com', { content, attachments }));
  await deliveredReceipt(app, customer.key, id);
  const { status, body } = await app.request('GET', `/v1/email/message_log/${id}`, { key: customer.key });
  assert.equal(status, 200);
  const { data } = body;
  assert.deepEqual([data.state, data.subject, data.to], ['delivered', 'Your visit', ['ann@example.com']]);
  assert.deepEqual([data.content.text, data.content.html], ['Plain.', '<p>Rich.</p>']);
  assert.deepEqual(
    data.content.attachments.map((each: { fileName: string; size: number }) => [each.fileName, each.size]),
    [
      ['a.txt', 5],
      ['b.bin', 300_000],
    ],
  );
  const [{ attempts }] = data.recipients;
  assert.equal(attempts.length, 1);
  assert.equal(attempts[0].tls.version, 'TLSv1.3');
  assert.equal(attempts[0].tls.verified, true);
  assert.match(attempts[0].smtpResponse, /^250 /);
  assert.deepEqual(
    data.timeline.map((each: { event: string }) => each.event),
    ['accepted', 'api_mail_log_delivered'],
  );
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query(`select actor_id from audit_log where action = 'message.read' and target = $1`, [id]),
  );
  assert.deepEqual(rows, [{ actor_id: customer.keyId }]);
});

test('retention removes content and files of what is done, and leaves the rest of the record', async (t) => {
  const large = { fileName: 'b.bin', contentType: 'a/b', content: Buffer.alloc(300_000, 7).toString('base64') };
  const done = await send(app, customer.key, messageTo('ann@example.com', { attachments: [large] }));
  await deliveredReceipt(app, customer.key, done);
  const ahead = new Date(Date.now() + 29 * 24 * 3600_000).toISOString();
  const { body } = await app.request('POST', '/v1/email/schedule', {
    key: customer.key,
    body: { data: { message: messageTo('ann@example.com', { content: { 'text/plain': 'x' } }), scheduled_at: ahead } },
  });
  const db = openDatabase(app.installation, 'worker', 1);
  t.after(() => db.close());
  const read = (id: string) => app.request('GET', `/v1/email/message_log/${id}`, { key: customer.key });
  const { retention } = app.installation.config;
  await sweepContents({ db, clock: inDays(29) }, retention);
  assert.notEqual((await read(done)).body.data.content, null);
  await sweepContents({ db, clock: inDays(31) }, retention);
  const { data } = (await read(done)).body;
  assert.equal(data.content, null);
  assert.equal(data.recipients[0].attempts.length, 1);
  assert.notEqual((await read(body.sourceTrackingId)).body.data.content, null, 'it has yet to leave');
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select count(*) as n from blobs where size = 300000 and customer_id = $1', [customer.id]),
  );
  assert.equal(Number(rows[0].n), 0);
});
