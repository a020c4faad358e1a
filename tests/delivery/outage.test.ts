import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Engine } from '../../src/email/delivery/engine.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { createPeer, createTestEngine, createWorker, type Worker, willing } from '../support/delivery.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';

/** What the driver throws where the connection ends before the answer has come. */
const CUT_OFF = 'Connection terminated unexpectedly';

/** Two nodes whose database can be away for both. */
async function createNodes(t: TestContext) {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const worker = await createWorker(t, app);
  const peer = createPeer(willing);
  const state = { isAway: false };
  let wasAway = false;
  const db: Worker['db'] = {
    ...worker.db,
    async call(query) {
      // The server has answered by the time that this is asked for.
      if (query.name === 'settle-deliveries' && peer.given.length === 1) state.isAway ||= !wasAway;
      if (state.isAway) throw new Error(CUT_OFF);
      return worker.db.call(query);
    },
    async untenanted(work) {
      if (state.isAway) throw new Error(CUT_OFF);
      return worker.db.untenanted(work);
    },
  };
  const comeBack = () => {
    wasAway = true;
    state.isAway = false;
  };
  const nodes = [0, 1].map(() => createTestEngine({ ...worker, db }, peer.find)) as [Engine, Engine];
  return { app, clock, peer, state, comeBack, nodes };
}

for (const [who, first] of [
  ['the node that sent it', 0],
  ['another node', 1],
] as const) {
  test(`a message that was taken while the database was away for longer than a lease is not sent again by ${who}`, async (t) => {
    const { app, clock, peer, state, comeBack, nodes } = await createNodes(t);
    const { key } = await app.createCustomer();
    const id = await send(app, key, messageTo('ann@example.com'));
    await nodes[0].turn();
    while (!state.isAway) await new Promise((resolve) => setImmediate(resolve));
    for (const node of nodes) await assert.rejects(node.turn());
    clock.advance(120_000);
    comeBack();
    await nodes[first].turn();
    for (const node of nodes) await node.settled();
    assert.equal(peer.given.length, 1);
    const [delivery] = (await receiptOf(app, key, id)).body.data.message.message_deliveries;
    assert.deepEqual([delivery.status.deliveryStatus, delivery.attempts], ['delivered', 1]);
  });
}
