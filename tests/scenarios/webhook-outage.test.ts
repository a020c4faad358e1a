import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWebhookLane } from '../../src/email/webhooks/deliver.ts';
import type { Lane } from '../../src/platform/lanes/lane.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { createPeer, createTestEngine, createWorker, type Worker, willing } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { attemptsAt, createHook, deliveriesOf } from '../support/webhook-receiver.ts';

/** What the driver throws where the connection ends before the answer has come. */
const CUT_OFF = 'Connection terminated unexpectedly';

/** An endpoint that is still to be told of one event. */
async function withAnEvent(t: TestContext, clock = createMovableClock()) {
  const app = await startApp(t, { clock });
  const worker = await createWorker(t, app);
  const { key } = await app.createCustomer();
  const hook = await createHook(app, key, { url: 'http://127.0.0.1:9/hook', events: ['api_mail_log_delivered'] });
  await send(app, key, messageTo('ann@example.com'));
  const engine = createTestEngine(worker, createPeer(willing).find);
  await engine.turn();
  await engine.settled();
  return { app, worker, key, hook };
}

/** Lanes of two workers that look for calls to make, and those that they make, which wait for an answer. */
function startTwoLanes(t: TestContext, worker: Worker) {
  const calls: ((status: number) => void)[] = [];
  const looks = [0, 0];
  const dial = () =>
    new Promise<{ status: number; retryAfter: null }>((answer) => {
      calls.push((status) => answer({ status, retryAfter: null }));
    });
  const [first, second] = looks.map((_, index) => {
    const untenanted: Worker['db']['untenanted'] = async (work) => {
      const found = await worker.db.untenanted(work);
      looks[index] = (looks[index] as number) + 1;
      return found;
    };
    return createWebhookLane({ ...worker, db: { ...worker.db, untenanted }, dial });
  }) as [Lane, Lane];
  t.after(() => {
    for (const answer of calls) answer(204);
    return Promise.all([first.stop(), second.stop()]);
  });
  const haveLooked = async () => {
    const before = [...looks];
    for (const lane of [first, second]) lane.nudge();
    // One look may have been under way.
    await eventually(async () => looks.every((count, index) => count > (before[index] as number) + 1));
  };
  return { calls, first, second, haveLooked };
}

for (const [when, isWritten] of [
  ['is away', false],
  ['has written it and its answer is lost', true],
] as const) {
  test(`what an endpoint has answered is not forgotten where the database ${when}`, async (t) => {
    const { app, worker, key, hook } = await withAnEvent(t);
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
  const { app, worker, key, hook } = await withAnEvent(t, clock);
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

test('an answer that comes after its lease has ended changes nothing of what another worker does since', async (t) => {
  const clock = createMovableClock();
  const { app, worker, key, hook } = await withAnEvent(t, clock);
  const { calls, first, second, haveLooked } = startTwoLanes(t, worker);
  first.start();
  await eventually(async () => calls.length === 1);
  clock.advance(61_000);
  second.start();
  await eventually(async () => calls.length === 2);
  const [taken] = await deliveriesOf(app, key, hook);
  assert.ok(taken);
  calls[0]?.(500);
  await eventually(async () => (await attemptsAt(app, key, hook, taken.id)).some(({ status }) => status === 500));
  clock.advance(30_000); // longer than a retry would have waited, and less than the lease of the other
  await haveLooked();
  assert.equal((await deliveriesOf(app, key, hook))[0]?.attempts, 2);
  calls[1]?.(204);
  const [delivery] = await eventually(async () => {
    const found = await deliveriesOf(app, key, hook);
    return found[0]?.state === 'delivered' && found;
  });
  assert.deepEqual([delivery?.attempts, calls.length], [2, 2]);
});

test('an endpoint that is switched off and on while it is called is not called by another worker meanwhile', async (t) => {
  const { app, worker, key, hook } = await withAnEvent(t);
  const { calls, first, second, haveLooked } = startTwoLanes(t, worker);
  first.start();
  await eventually(async () => calls.length === 1);
  for (const status of ['disabled', 'active']) {
    const changed = await app.request('PATCH', `/v1/webhooks/endpoints/${hook.uuid}`, { key, body: { status } });
    assert.equal(changed.status, 200);
  }
  second.start();
  await haveLooked();
  assert.equal((await deliveriesOf(app, key, hook))[0]?.attempts, 1);
});
