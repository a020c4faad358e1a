import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { settle } from '../../src/email/delivery/queue/settle.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { createPeer, createTestEngine, createWorker, settlementOf, takeDue, type Worker } from '../support/delivery.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

let app: TestApp;
let clock: MovableClock;
let worker: Worker;

before(async (t) => {
  clock = createMovableClock();
  app = await startApp(t as TestContext, { clock });
  worker = await createWorker(t as TestContext, app);
});

const LATER = { result: 'deferred', code: 451, reply: '451 4.3.0 come again' } as const;
const TAKEN = { result: 'delivered', code: 250, reply: '250 2.0.0 fine' } as const;

async function eventsOf({ key }: TestCustomer): Promise<string[]> {
  const { body } = await app.request('GET', '/v1/email/events', { key });
  return body.data.map(({ event_name: name }: { event_name: string }) => name);
}

/** All that is written of the mail of a customer. */
async function writtenOf({ id }: TestCustomer) {
  return asOwner(app, async (client) => {
    const rowsOf = async (text: string) => (await client.query(text, [id])).rows;
    return {
      recipients: await rowsOf('select * from message_recipients where customer_id = $1'),
      attempts: await rowsOf('select * from delivery_attempts where customer_id = $1 order by attempt'),
      batches: await rowsOf('select id from evidence_batches where customer_id = $1'),
      acts: await rowsOf(`select id from audit_log where customer_id = $1 and action = 'email.attempts'`),
    };
  });
}

for (const [result, outcome, event] of [
  ['a deferral', LATER, 'api_mail_log_temporary_failure'],
  ['a delivery', TAKEN, 'api_mail_log_delivered'],
] as const) {
  test(`${result} that is written twice, or by two at the same time, is told once and leaves what the first one left`, async () => {
    const customer = await app.createCustomer();
    await send(app, customer.key, messageTo('ann@example.com'));
    const settlements = (await takeDue(worker)).map((lease) => settlementOf(lease, outcome, 'ann@example.com'));
    await Promise.all([settle(worker, settlements), settle(worker, settlements)]);
    const once = await writtenOf(customer);
    clock.advance(1_000);
    await settle(worker, settlements);
    assert.deepEqual(await writtenOf(customer), once);
    assert.deepEqual([once.attempts.length, once.batches.length, once.acts.length], [1, 1, 1]);
    assert.deepEqual(await eventsOf(customer), [event]);
  });
}

async function deferralsCounted(): Promise<number> {
  const { values } = await worker.metrics.deliveries.get();
  return values.find(({ labels }) => labels.outcome === 'deferred')?.value ?? 0;
}

test('where the answer of the database is lost, what a server said is told and counted once', async () => {
  const customer = await app.createCustomer();
  const id = await send(app, customer.key, messageTo('ann@example.com'));
  let asked = 0;
  const call: Worker['db']['call'] = async (query) => {
    if (query.name === 'settle-deliveries') asked += 1;
    const answer = worker.db.call<never>(query);
    if (query.name !== 'settle-deliveries' || asked > 1) return answer;
    await answer;
    throw new Error('Connection terminated unexpectedly');
  };
  const counted = await deferralsCounted();
  const { find } = createPeer((command) => (command.startsWith('RCPT') ? '451 4.3.0 come again' : '250 fine'));
  const engine = createTestEngine({ ...worker, db: { ...worker.db, call } }, find);
  await engine.turn();
  await engine.settled();
  assert.equal(asked, 2);
  assert.deepEqual(await eventsOf(customer), ['api_mail_log_temporary_failure']);
  assert.equal((await deferralsCounted()) - counted, 1);
  const [delivery] = (await receiptOf(app, customer.key, id)).body.data.message.message_deliveries;
  assert.deepEqual([delivery.status.deliveryStatus, delivery.attempts], ['soft bounced', 1]);
});

test('what was given up for lost is still written down by whoever made the attempt, once', async () => {
  const customer = await app.createCustomer();
  await send(app, customer.key, messageTo('ann@example.com'));
  const [lost] = await takeDue(worker);
  assert.ok(lost);
  clock.advance(120_000);
  const [again] = await takeDue(worker);
  assert.equal(again?.attempts, 2);
  const late = settlementOf(lost, LATER, 'ann@example.com');
  await settle(worker, [late]);
  const once = await writtenOf(customer);
  assert.deepEqual(
    once.attempts.map(({ outcome }) => outcome),
    ['deferred', null],
  );
  await settle(worker, [late]);
  assert.deepEqual(await writtenOf(customer), once);
});
