import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWebhookLane } from '../../src/email/webhooks/deliver.ts';
import { startApp } from '../support/app.ts';
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
