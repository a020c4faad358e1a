import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { settle } from '../../src/email/delivery/queue/settle.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { createPeer, createWorker, deliverDue, settlementOf, takeDue, willing } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

let app: TestApp;
let customer: TestCustomer;
let clock: MovableClock;

before(async (context) => {
  clock = createMovableClock();
  app = await startApp(context as TestContext, { clock });
  customer = await app.createCustomer();
});

/** Plays a worker: takes what is due and lets the peer say the same to all of it. */
async function peerSays(t: TestContext, code: number, words: string): Promise<void> {
  const { ownerUrl, log, vault } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  const leases = await takeDue({ db, clock });
  const result = code < 300 ? ('delivered' as const) : code < 500 ? ('deferred' as const) : ('refused' as const);
  const outcome = { result, code, reply: `${code} ${words}` };
  await settle(
    { db, vault, clock, random: () => 0.5 },
    leases.map((lease) => settlementOf(lease, outcome, null)),
  );
}

async function deliveries(id: string) {
  return (await receiptOf(app, customer.key, id)).body.data.message.message_deliveries;
}

test('a receipt has the shape that clients read', async () => {
  const id = await send(app, customer.key, messageTo('Ann <ann@example.com>'));
  const { status, body } = await receiptOf(app, customer.key, id);
  assert.equal(status, 200);
  assert.equal(body.sourceTrackingId, id);
  assert.equal(body.data.message.id, `<${id}@example.org>`);
  assert.deepEqual(body.data.message.message_deliveries, [
    { recipient: 'ann@example.com', status: { deliveryStatus: 'processing', openedStatus: 'not opened' }, attempts: 0 },
  ]);
  const { total_opens, distinct_opens, total_click_count, clicks_per_link, unsubscribed } = body.data.message;
  assert.deepEqual(
    [total_opens, distinct_opens, total_click_count, clicks_per_link, unsubscribed],
    [0, 0, 0, [], false],
  );
});

test('a delivery that ends while it is read is told whole or not yet', async () => {
  const id = await send(app, customer.key, messageTo('dora@example.com'));
  const [receipt, logged] = await asOwner(app, async (owner) => {
    const blocked = `select from pg_locks where not granted and relation = 'message_recipients'::regclass`;
    await owner.query('begin; lock table message_recipients');
    const reading = Promise.all([
      receiptOf(app, customer.key, id),
      app.request('GET', `/v1/email/message_log/${id}`, { key: customer.key }),
    ]);
    await eventually(async () => (await owner.query(blocked)).rowCount === 2);
    await owner.query(`update message_recipients set state = 'delivered', settled_at = now() where message_id = $1`, [
      id,
    ]);
    await owner.query('commit');
    return reading;
  });
  assert.equal(receipt.body.data.message.message_deliveries[0].status.deliveryStatus, 'processing');
  assert.equal(logged.body.data.recipients[0].state, 'queued');
  assert.equal((await deliveries(id))[0].status.deliveryStatus, 'delivered');
});

test('a receipt follows the replies of the peer, one status at a time', async (t) => {
  const id = await send(app, customer.key, messageTo('ben@example.com', { cc: ['carl@example.com'] }));
  await peerSays(t, 451, '4.3.0 later');
  assert.deepEqual(
    (await deliveries(id)).map((each: { status: object; smtpResponse: string }) => [each.status, each.smtpResponse]),
    [
      [{ deliveryStatus: 'soft bounced' }, '451 4.3.0 later'],
      [{ deliveryStatus: 'soft bounced' }, '451 4.3.0 later'],
    ],
  );
  clock.advance(3600_000);
  await peerSays(t, 452, '4.2.2 mailbox full');
  assert.equal((await deliveries(id))[0].status.deliveryStatus, 'soft bounced - mailbox full');
  clock.advance(3600_000);
  const at = clock.now();
  await peerSays(t, 550, '5.1.1 no such user ben@example.com');
  const [first] = await deliveries(id);
  assert.equal(first.status.deliveryStatus, 'hard bounced');
  assert.equal(first.status.deliveryTime, at.toUTCString().replace('GMT', '+0000'));
  assert.equal(first.attempts, 3);
  assert.equal(first.smtpResponse, '550 5.1.1 no such user ben@example.com');
});

test('of several recipients each is told what was said of them, and nothing of the others', async (t) => {
  const id = await send(
    app,
    customer.key,
    messageTo('ann@example.com', { cc: ['ben@example.com'], bcc: ['cy@example.com'] }),
  );
  const worker = await createWorker(t, app);
  const words: Record<string, string> = { ann: '250 2.1.5 fine', ben: '550 5.7.1 not from you', cy: '451 4.3.0 later' };
  const peer = createPeer((command) => words[/<(\w+)@/.exec(command)?.[1] ?? ''] ?? willing(command));
  await deliverDue(worker, peer.find);
  const told = (await deliveries(id)).map((each: { recipient: string; status: object; smtpResponse: string }) => [
    each.recipient,
    Object.values(each.status)[0],
    each.smtpResponse,
  ]);
  assert.deepEqual(told, [
    ['ann@example.com', 'delivered', '250 2.0.0 fine'],
    ['ben@example.com', 'hard bounced', words.ben],
    ['cy@example.com', 'soft bounced', words.cy],
  ]);
});

test('a mailbox is full where the peer says that, not where the peer is', async (t) => {
  const id = await send(app, customer.key, messageTo('dora@example.com'));
  for (const [code, words, status] of [
    [452, '4.3.1 Insufficient system storage', 'soft bounced'],
    [452, '4.5.3 Too many recipients', 'soft bounced'],
    [452, '4.2.21 unheard of', 'soft bounced'],
    [452, 'Over quota', 'soft bounced - mailbox full'],
    [450, '4.2.2 Over quota', 'soft bounced - mailbox full'],
  ] as const) {
    await peerSays(t, code, words);
    assert.equal((await deliveries(id))[0].status.deliveryStatus, status, words);
    clock.advance(6 * 3600_000);
  }
});

// As the fixtures of the clients have it.
const NOT_FOUND = {
  code: 404,
  title: 'Message was not found',
  details: 'Message with this tracking id was not found',
};

test('unknown, malformed and blank ids are 404 with the id, on every base', async () => {
  const bases = ['/v1/email', '/v1', `/v1/${customer.username}`, `/emailapi/v1/${customer.username}`];
  for (const base of bases) {
    for (const id of [randomUUID(), 'ce1e2143-474d-43ba-b829-17a26b8005e5', 'nonsense', '', '%00', 'a'.repeat(300)]) {
      const { status, body } = await app.request('GET', `${base}/message_receipt?sourceTrackingId=${id}`, {
        key: customer.key,
      });
      assert.equal(status, 404, id);
      assert.deepEqual(body.errors, [NOT_FOUND]);
      assert.equal(body.sourceTrackingId, decodeURIComponent(id));
    }
  }
  const twice = await app.request('GET', '/v1/email/message_receipt?sourceTrackingId=a&sourceTrackingId=b', {
    key: customer.key,
  });
  assert.deepEqual(
    [twice.status, twice.body.errors[0].title, twice.body.sourceTrackingId],
    [404, 'Message was not found', 'a,b'],
  );
  const without = await app.request('GET', '/v1/email/message_receipt', { key: customer.key });
  assert.deepEqual([without.status, without.body.sourceTrackingId], [404, '']);
});
