import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWebhookLane } from '../../src/email/webhooks/deliver.ts';
import { startApp } from '../support/app.ts';
import { createPeer, createTestEngine, createWorker, willing } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { createHook, deliveriesOf } from '../support/webhook-receiver.ts';

test('an event whose message is gone by now holds up no other, and is no fault of the endpoint', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const { id: customerId, key } = await app.createCustomer();
  const events = ['api_mail_log_delivered'];
  const hook = await createHook(app, key, { url: 'http://127.0.0.1:9/hook', events, ordered: true });
  const gone = await send(app, key, messageTo('ann@example.com'));
  const engine = createTestEngine(worker, createPeer(willing).find);
  await engine.turn();
  await engine.settled();
  await send(app, key, messageTo('ben@example.com'));
  await engine.turn();
  await engine.settled();
  await asOwner(app, (client) => client.query('delete from messages where id = $1', [gone]));
  const told: string[] = [];
  const lane = createWebhookLane({
    ...worker,
    dial: async ({ body }) => {
      told.push(String(body));
      return { status: 204, retryAfter: null };
    },
  });
  lane.start();
  t.after(() => lane.stop());
  const deliveries = await eventually(async () => {
    const found = await deliveriesOf(app, key, hook);
    return found.every(({ state }) => state !== 'pending') && found;
  });
  await lane.stop();
  assert.deepEqual(
    deliveries
      .map(({ state, attempts }) => [state, attempts] as const)
      .toSorted(([one], [other]) => one.localeCompare(other)),
    [
      ['delivered', 1],
      ['failed', 1],
    ],
  );
  assert.equal(told.length, 1);
  assert.match(told[0] as string, /ben@example\.com/);
  const [{ failing_since: failingSince } = {}] = (
    await asOwner(app, (client) =>
      client.query('select failing_since from webhook_endpoints where customer_id = $1', [customerId]),
    )
  ).rows;
  assert.equal(failingSince, null);
});
