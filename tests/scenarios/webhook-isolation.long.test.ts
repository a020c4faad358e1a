import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import {
  attemptsAt,
  createHook,
  deliveriesOf,
  type Hook,
  startReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const DAY = 24 * 3600_000;
const DELIVERED = 'api_mail_log_delivered';

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
});

interface Setup {
  key: string;
  receiver: WebhookReceiver;
  hook: Hook;
}

async function prepare(t: TestContext): Promise<Setup> {
  const { key } = await app.createCustomer();
  const receiver = await startReceiver(t);
  return { key, receiver, hook: await createHook(app, key, { url: receiver.url, events: [DELIVERED] }) };
}

function sendOne({ key }: Setup): Promise<string> {
  return send(app, key, messageTo('ann@example.com'));
}

/** Returns when the worker has taken whatever is due at the present time of the clock. */
async function tick(watch: Setup): Promise<void> {
  const seen = watch.receiver.received.length;
  await sendOne(watch);
  await watch.receiver.atLeast(seen + 1);
}

test('an endpoint that never answers, with 50 events waiting, delays nobody else', async (t) => {
  const stuck = await prepare(t);
  const healthy = await prepare(t);
  const beside = await startReceiver(t);
  await createHook(app, stuck.key, { url: beside.url, events: [DELIVERED] });
  stuck.receiver.answer('hang');
  await Promise.all(Array.from({ length: 50 }, () => sendOne(stuck)));
  await beside.atLeast(50);
  await stuck.receiver.atLeast(4);
  const hanging = stuck.receiver.hanging();
  assert.ok(hanging >= 4 && hanging <= 8, `${hanging} at once`);
  for (let times = 1; times <= 5; times += 1) await tick(healthy);
  const first = stuck.receiver.received[0]?.headers['webhook-id'] as string;
  const attempt = async () => (await attemptsAt(app, stuck.key, stuck.hook, first))[0];
  assert.equal((await attempt())?.outcome, null, 'it was hanging all the while');

  const ended = await eventually(async () => {
    const each = await attempt();
    return each?.outcome !== null && each;
  }, 40_000);
  assert.deepEqual([ended.outcome, ended.status], ['timeout', null]);
  stuck.receiver.answer({ status: 200 });
  stuck.receiver.release();
  await eventually(async () => {
    const arrived = new Set(stuck.receiver.received.map(({ headers }) => headers['webhook-id']));
    return arrived.size === 50;
  });
});

test('twelve endpoints of one customer that never answer leave room for everybody else', async (t) => {
  const healthy = await prepare(t);
  const { key } = await app.createCustomer();
  const receiver = await startReceiver(t);
  receiver.answer('hang');
  for (let place = 0; place < 12; place += 1) {
    await createHook(app, key, { url: `${receiver.url}/${place}`, events: [DELIVERED] });
  }
  await Promise.all(Array.from({ length: 4 }, () => send(app, key, messageTo('ann@example.com'))));
  await receiver.atLeast(32);
  for (let times = 1; times <= 3; times += 1) await tick(healthy);
  assert.equal(receiver.received.length, 32);
  receiver.release();
});

test('an attempt is given up after 15 seconds', async (t) => {
  const setup = await prepare(t);
  setup.receiver.answer('hang');
  await sendOne(setup);
  await setup.receiver.atLeast(1);
  const start = performance.now();
  await eventually(async () => setup.receiver.hanging() === 1);
  await eventually(async () => setup.receiver.hanging() === 0, 40_000);
  const lasted = performance.now() - start;
  assert.ok(lasted > 14_000 && lasted < 25_000, `${lasted} ms`);
});

test('an address where nobody listens is tried again like one that refuses', async (t) => {
  const { key } = await app.createCustomer();
  const watch = await prepare(t);
  const hook = await createHook(app, key, { url: 'http://127.0.0.1:9/hook', events: [DELIVERED] });
  await send(app, key, messageTo('ann@example.com'));
  const [attempt] = await eventually(async () => {
    const [delivery] = await deliveriesOf(app, key, hook);
    const log = delivery === undefined ? [] : await attemptsAt(app, key, hook, delivery.id);
    return typeof log[0]?.outcome === 'string' && log;
  });
  assert.deepEqual([attempt?.outcome, attempt?.status], ['unreachable', null]);
  clock.advance(5_000);
  await tick(watch);
  await eventually(async () => (await deliveriesOf(app, key, hook))[0]?.attempts === 2);
});

test('an endpoint that is taken away gets nothing of what waited for it', async (t) => {
  const setup = await prepare(t);
  const watch = await prepare(t);
  setup.receiver.answer({ status: 503 });
  await Promise.all([sendOne(setup), sendOne(setup)]);
  await eventually(async () => {
    const log = await deliveriesOf(app, setup.key, setup.hook);
    const attempts = await Promise.all(log.map(({ id }) => attemptsAt(app, setup.key, setup.hook, id)));
    return attempts.length === 2 && attempts.every(([first]) => first?.outcome === 'refused');
  });
  const path = `/v1/webhooks/endpoints/${setup.hook.uuid}`;
  assert.equal((await app.request('DELETE', path, { key: setup.key })).status, 204);
  setup.receiver.answer({ status: 200 });
  for (const pause of [5_000, DAY]) {
    clock.advance(pause);
    await sendOne(setup);
    await tick(watch);
  }
  assert.equal(setup.receiver.received.length, 2);
  const { rows } = await asOwner(app, (client) =>
    client.query('select state, due_at, attempts from webhook_deliveries where endpoint_id = $1', [setup.hook.id]),
  );
  assert.deepEqual(
    rows,
    Array.from({ length: 2 }, () => ({ state: 'failed', due_at: null, attempts: 1 })),
  );
});
