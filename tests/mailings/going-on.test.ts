import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { advanceSends } from '../../src/marketing/mailings/sending/advance.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createWorker, type Worker } from '../support/delivery.ts';
import { advancing } from './advancing.ts';
import { addList, addMailing, ask, readSend, startSend } from './mailing.ts';

let app: TestApp;
let worker: Worker;
before(async (t) => {
  app = await startApp(t as TestContext);
  worker = await createWorker(t as TestContext, app);
});

/** A send to Ann and Ben that is led on by hand; of the mail to Ann nobody knows at first whether it arrived. */
async function begin() {
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, ['ann@example.com', 'ben@example.com']);
  const id = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  const tried: string[] = [];
  const deps = advancing(worker, {
    async handOver({ recipient }) {
      const isUnknown = recipient.startsWith('ann') && !tried.includes(recipient);
      tried.push(recipient);
      const moment = { startedAt: new Date(), finishedAt: new Date(), met: null };
      if (isUnknown) return { result: 'uncertain', code: null, reply: null, ...moment };
      return { result: 'delivered', code: 250, reply: '250 fine', ...moment };
    },
  });
  const path = `/campaign_mailing_sends/${id}`;
  return {
    turn: () => advanceSends(deps),
    async toItsEnd() {
      while ((await advanceSends(deps)) > 0);
    },
    to: (what: string, body?: Record<string, unknown>) => ask(app, customer, 'POST', `${path}/${what}`, body),
    read: () => readSend(app, customer, id),
    triedInOrder: () => tried.toSorted(),
  };
}

test('a send that was paused before it knew whom it goes to reaches everybody once it goes on', async () => {
  const { turn, toItsEnd, to, read, triedInOrder } = await begin();
  await turn();
  assert.deepEqual([(await read()).state, (await read()).people], ['preparing', 0]);
  await to('pause');
  assert.equal(await turn(), 0, 'it rests');
  await to('resume');
  assert.equal((await read()).state, 'preparing');
  await toItsEnd();
  assert.deepEqual(triedInOrder(), ['ann@example.com', 'ben@example.com']);
});

test('what is decided concerns the mails of which nobody knows, and nobody else gets another', async () => {
  for (const decision of ['resend', 'sent'] as const) {
    const { toItsEnd, to, read, triedInOrder } = await begin();
    await toItsEnd();
    const { state, delivered, uncertain } = await read();
    assert.deepEqual([state, delivered, uncertain], ['needs_decision', 1, 1]);
    await to('decide', { decision });
    await toItsEnd();
    const done = await read();
    const again = decision === 'resend' ? ['ann@example.com'] : [];
    assert.deepEqual([done.state, done.sent, done.uncertain], ['finished', 2, 0]);
    assert.equal(done.delivered, 1 + again.length);
    assert.deepEqual(triedInOrder(), ['ann@example.com', ...again, 'ben@example.com']);
  }
});

test('a send that waits for a decision can be cancelled, and what nobody knows stays unknown', async () => {
  const { toItsEnd, to, read, triedInOrder } = await begin();
  await toItsEnd();
  await to('cancel');
  await toItsEnd();
  const { state, finished_at: end, delivered, uncertain, cancelled } = await read();
  assert.deepEqual([state, delivered, uncertain, cancelled], ['cancelled', 1, 1, 0]);
  assert.notEqual(end, null);
  assert.deepEqual(triedInOrder(), ['ann@example.com', 'ben@example.com']);
});
