import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWebhookLane } from '../../src/email/webhooks/deliver.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { createPeer, createTestEngine, createWorker, type Worker, willing } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { createHook, deliveriesOf } from '../support/webhook-receiver.ts';

/** What the driver throws where the connection ends before the answer has come. */
const CUT_OFF = 'Connection terminated unexpectedly';

for (const [when, isWritten] of [
  ['is away', false],
  ['has written it and its answer is lost', true],
] as const) {
  test(`what an endpoint has answered is not forgotten where the database ${when}`, async (t) => {
    const app = await startApp(t);
    const worker = await createWorker(t, app);
    const { key } = await app.createCustomer();
    const hook = await createHook(app, key, { url: 'http://127.0.0.1:9/hook', events: ['api_mail_log_delivered'] });
    await send(app, key, messageTo('ann@example.com'));
    const engine = createTestEngine(worker, createPeer(willing).find);
    await engine.turn();
    await engine.settled();
    let calls = 0;
    let toFail = false;
    const tenant: Worker['db']['tenant'] = async (customers, work) => {
      if (!toFail) return worker.db.tenant(customers, work);
      toFail = false;
      if (isWritten) await worker.db.tenant(customers, work);
      throw new Error(CUT_OFF);
    };
    const dial = async () => {
      calls += 1;
      toFail = calls === 1;
      return { status: 204, retryAfter: null };
    };
    const lane = createWebhookLane({ ...worker, db: { ...worker.db, tenant }, dial });
    lane.start();
    t.after(() => lane.stop());
    const [delivery] = await eventually(async () => {
      const found = await deliveriesOf(app, key, hook);
      return found[0]?.state === 'delivered' && found;
    });
    await lane.stop();
    assert.deepEqual([delivery?.attempts, calls], [1, 1]);
  });
}

test('a call that was answered while the database was away for longer than a lease is not made again', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const worker = await createWorker(t, app);
  const { key } = await app.createCustomer();
  const hook = await createHook(app, key, { url: 'http://127.0.0.1:9/hook', events: ['api_mail_log_delivered'] });
  await send(app, key, messageTo('ann@example.com'));
  const engine = createTestEngine(worker, createPeer(willing).find);
  await engine.turn();
  await engine.settled();
  let [calls, looks, isAway] = [0, 0, false];
  const tenant: Worker['db']['tenant'] = async (customers, work) => {
    if (isAway) throw new Error(CUT_OFF);
    return worker.db.tenant(customers, work);
  };
  const untenanted: Worker['db']['untenanted'] = async (work) => {
    const found = await worker.db.untenanted(work);
    looks += 1;
    return found;
  };
  const dial = async () => {
    calls += 1;
    isAway = true;
    return { status: 204, retryAfter: null };
  };
  const lane = createWebhookLane({ ...worker, db: { ...worker.db, tenant, untenanted }, dial });
  lane.start();
  t.after(() => lane.stop());
  await eventually(async () => isAway);
  clock.advance(120_000);
  const before = looks;
  lane.nudge();
  await eventually(async () => looks > before + 1);
  isAway = false;
  const [delivery] = await eventually(async () => {
    const found = await deliveriesOf(app, key, hook);
    return found[0]?.state === 'delivered' && found;
  });
  await lane.stop();
  assert.deepEqual([delivery?.attempts, calls], [1, 1]);
});
