import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createUser } from '../../src/accounts/index.ts';
import { recordEvents } from '../../src/email/events/record.ts';
import { createWebhookLane } from '../../src/email/webhooks/deliver.ts';
import { createDialler } from '../../src/platform/net/dial.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { createWorker } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import {
  attemptsAt,
  createHook,
  deliveriesOf,
  type Hook,
  type Received,
  startReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SCHEDULE = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const BOUNCED = 'api_mail_log_permanent_failure';
const RECIPIENT = 'patient-zq7@example.com';
const SUBJECT = 'Results of zq7';

const clock = createMovableClock();
let app: TestApp;
let watch: { receiver: WebhookReceiver; key: string };
before(async (context) => {
  const t = context as TestContext;
  app = await startApp(t, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
  const receiver = await startReceiver(t);
  const { key } = await app.createCustomer();
  await createHook(app, key, { url: receiver.url, events: ['api_mail_log_delivered'] });
  watch = { receiver, key };
});

/** Returns when the worker has taken whatever is due at the present time of the clock. */
async function tick(): Promise<void> {
  const seen = watch.receiver.received.length;
  await send(app, watch.key, messageTo('watch@example.com'));
  await watch.receiver.atLeast(seen + 1);
}

interface Setup {
  customer: TestCustomer;
  messageId: string;
  receiver: WebhookReceiver;
  hook: Hook;
}

/** A customer with a message and an endpoint that hears of its bounces. */
async function prepare(t: TestContext, more: { ordered?: boolean } = {}): Promise<Setup> {
  const customer = await app.createCustomer();
  const email = `owner-of-${customer.username}@clinic.example`;
  await createUser(app.installation, app.act(customer.id, 'user.created'), { email, role: 'owner' });
  const headers = { from: 'clinic@example.org', subject: SUBJECT };
  const messageId = await send(app, customer.key, messageTo(RECIPIENT, { headers }));
  const receiver = await startReceiver(t);
  const hook = await createHook(app, customer.key, { url: receiver.url, events: [BOUNCED], ...more });
  return { customer, messageId, receiver, hook };
}

/** Has a number of events happen. */
async function happen({ customer, messageId }: Setup, count = 1): Promise<void> {
  const event = { customerId: customer.id, messageId, ordinal: 0, name: BOUNCED, at: clock.now() };
  await app.installation.db.tenant([customer.id], (tx) =>
    recordEvents(
      tx,
      clock,
      Array.from({ length: count }, () => event),
    ),
  );
  await tick();
}

function deliveries({ customer, hook }: Setup) {
  return deliveriesOf(app, customer.key, hook);
}

function endpoint({ customer, hook }: Setup, method = 'GET', body?: unknown) {
  const path = `/v1/webhooks/endpoints/${hook.uuid}`;
  return app.request(method, path, { key: customer.key, ...(body === undefined ? {} : { body }) });
}

/** Waits until nothing is under way after so many attempts in all, and answers the log. */
function settled(setup: Setup, attempts: number) {
  return eventually(async () => {
    const all = await deliveries(setup);
    const made = all.reduce((sum, each) => sum + each.attempts, 0);
    if (made < attempts) return null;
    assert.equal(made, attempts);
    for (const { id } of all) {
      const log = await attemptsAt(app, setup.customer.key, setup.hook, id);
      if (log.some(({ outcome }) => outcome === null)) return null;
    }
    return deliveries(setup);
  });
}

/** The mails that the owner of an account has got. */
async function mailsToOwner({ customer }: Setup): Promise<{ subject: string; text: string }[]> {
  const to = `owner-of-${customer.username}@clinic.example`;
  return (await app.request('GET', `/v1/email/sandbox/messages?to=${to}`, { key: customer.key })).body.data;
}

/** The sequence numbers of what has arrived, in that order. */
function sequences({ receiver }: Setup): number[] {
  return receiver.received.map(({ sequence }) => sequence);
}

function assertSame(requests: Received[]): void {
  assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 1, 'the same id');
  assert.equal(new Set(requests.map(({ raw }) => raw)).size, 1, 'the same bytes');
}

test('an endpoint that fails is tried to the end of the schedule, and its owner is told', async (t) => {
  const setup = await prepare(t);
  const { receiver, hook, customer } = setup;
  receiver.answer({ status: 500 });
  await happen(setup);
  for (const [index, pause] of SCHEDULE.entries()) {
    const [waiting] = await settled(setup, index + 1);
    assert.equal(waiting?.state, 'pending');
    assert.equal(waiting?.next_attempt_at, new Date(clock.now().getTime() + pause).toISOString(), `pause ${index}`);
    clock.advance(pause - 1);
    await tick();
    assert.equal((await deliveries(setup))[0]?.attempts, index + 1, 'not a millisecond before');
    assert.equal((await endpoint(setup)).body.data.failing, false);
    clock.advance(1);
    await tick();
  }
  const [given] = await settled(setup, SCHEDULE.length + 1);
  assert.deepEqual(
    [given?.state, given?.next_attempt_at, given?.settled_at],
    ['failed', null, clock.now().toISOString()],
  );
  assert.equal((await endpoint(setup)).body.data.failing, true);
  assert.equal((await endpoint(setup)).body.data.status, 'active');
  assert.equal(receiver.received.length, SCHEDULE.length + 1);
  assertSame(receiver.received);
  for (const { headers, raw } of receiver.received) {
    const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']] as [string, string];
    const signature = new Webhook(hook.secret).sign(id, new Date(Number(at) * SECOND), raw);
    assert.equal(headers['webhook-signature'], signature);
  }
  const times = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
  assert.equal(new Set(times).size, times.length, 'each attempt is signed anew');

  const mail = await eventually(async () => (await mailsToOwner(setup))[0]);
  assert.match(mail.subject, /failing/);
  assert.ok(mail.text.includes(`endpoint ${hook.id} `));
  for (const hidden of [RECIPIENT, SUBJECT, receiver.url]) assert.ok(!JSON.stringify(mail).includes(hidden));

  clock.advance(24 * HOUR);
  await tick();
  assert.equal((await deliveries(setup))[0]?.attempts, SCHEDULE.length + 1, 'nothing more by itself');
  receiver.answer({ status: 200 });
  await happen(setup);
  await settled(setup, SCHEDULE.length + 2);
  assert.equal((await endpoint(setup)).body.data.failing, false, 'success clears it');
  assert.equal((await app.request('GET', `/v1/webhook_endpoints/${hook.id}`, customer)).body.failing, false);
});

test('only 2xx is success, and a redirect is not followed', async (t) => {
  const setup = await prepare(t);
  const elsewhere = await startReceiver(t);
  const statuses = [200, 201, 299, 301, 302, 303, 307, 308, 304, 400, 404, 429, 503];
  setup.receiver.answer(({ sequence }) => ({
    status: statuses[sequence - 1] as number,
    headers: { location: elsewhere.url },
  }));
  await happen(setup, statuses.length);
  const log = await settled(setup, statuses.length);
  for (const [index, { id, state, sequence, next_attempt_at: next }] of log.entries()) {
    const status = statuses[index] as number;
    assert.equal(sequence, index + 1);
    const [attempt] = await attemptsAt(app, setup.customer.key, setup.hook, id);
    assert.equal(attempt?.status, status);
    assert.deepEqual(
      [attempt?.outcome, state, next !== null],
      status < 300 ? ['delivered', 'delivered', false] : ['refused', 'pending', true],
      String(status),
    );
  }
  assert.equal(elsewhere.received.length, 0);
});

test('410 switches an endpoint off at once, and what waits goes on when it is on again', async (t) => {
  const setup = await prepare(t);
  const { receiver } = setup;
  receiver.answer({ status: 503 });
  await happen(setup, 2);
  await settled(setup, 2);
  receiver.answer({ status: 410 });
  await happen(setup);
  const [, , gone] = await settled(setup, 3);
  assert.deepEqual([gone?.state, gone?.next_attempt_at], ['failed', null]);
  assert.equal((await endpoint(setup)).body.data.status, 'disabled');
  const mail = await eventually(async () => (await mailsToOwner(setup))[0]);
  assert.match(mail.subject, /switched off/);
  for (const hidden of [RECIPIENT, SUBJECT, receiver.url]) assert.ok(!JSON.stringify(mail).includes(hidden));

  clock.advance(24 * HOUR);
  await happen(setup);
  assert.equal(receiver.received.length, 3, 'nothing more is sent');
  receiver.answer({ status: 200 });
  assert.equal((await endpoint(setup, 'PATCH', { status: 'active' })).body.data.status, 'active');
  await tick();
  const log = await settled(setup, 5);
  assert.deepEqual(
    log.map(({ state }) => state),
    ['delivered', 'delivered', 'failed'],
    'what happened while it was off is not for it',
  );
  const [first] = receiver.received as [Received];
  assertSame(receiver.received.filter(({ raw }) => raw === first.raw));
});

test('an endpoint that is switched off and on again while it is called is not called twice for it', async (t) => {
  const setup = await prepare(t);
  const { receiver } = setup;
  receiver.answer('hang');
  await happen(setup);
  await receiver.atLeast(1);
  for (const status of ['disabled', 'active']) assert.equal((await endpoint(setup, 'PATCH', { status })).status, 200);
  receiver.answer({ status: 200 });
  await tick();
  await happen(setup);
  await receiver.atLeast(2);
  assert.deepEqual(sequences(setup), [1, 2], 'the first is still being called for');
  receiver.release();
  const [broken] = await settled(setup, 2);
  assert.equal(broken?.next_attempt_at, new Date(clock.now().getTime() + 5 * SECOND).toISOString());
});

/** A moment of the clock in the words of HTTP, which know no milliseconds. */
function dateIn(ms: number): string {
  return new Date(clock.now().getTime() + ms).toUTCString();
}

test('Retry-After lengthens a pause and never shortens one, up to a day', async (t) => {
  const setup = await prepare(t);
  const soon = dateIn(MINUTE);
  const wishes: [string, number][] = [
    ['7', 7 * SECOND],
    ['3600', HOUR],
    ['4', 5 * SECOND],
    ['0', 5 * SECOND],
    [soon, Date.parse(soon) - clock.now().getTime()],
    [dateIn(-HOUR), 5 * SECOND],
    [dateIn(2 * SECOND), 5 * SECOND],
    ['86400', 24 * HOUR],
    ['86401', 24 * HOUR],
    ['999999999', 24 * HOUR],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 24 * HOUR],
    ['soon', 5 * SECOND],
    ['-60', 5 * SECOND],
    ['60.5', 5 * SECOND],
    ['', 5 * SECOND],
  ];
  setup.receiver.answer(({ sequence }) => ({
    status: 503,
    headers: { 'retry-after': wishes[sequence - 1]?.[0] as string },
  }));
  await happen(setup, wishes.length);
  const log = await settled(setup, wishes.length);
  assert.deepEqual(
    log.map(({ next_attempt_at: next }, index) => [
      wishes[index]?.[0],
      Date.parse(next as string) - clock.now().getTime(),
    ]),
    wishes,
  );
});

test('in strict order an event waits for the one before it, otherwise it does not', async (t) => {
  const strict = await prepare(t, { ordered: true });
  const loose = await prepare(t);
  for (const setup of [strict, loose]) {
    setup.receiver.answer(({ sequence }) => ({ status: sequence === 1 ? 500 : 200 }));
    await happen(setup, 3);
  }
  await settled(loose, 3);
  assert.deepEqual(
    sequences(loose).toSorted((one, other) => one - other),
    [1, 2, 3],
  );
  await settled(strict, 1);
  clock.advance(5 * SECOND);
  await tick();
  await settled(strict, 2);
  await happen(strict);
  assert.deepEqual(sequences(strict), [1, 1], 'also what happens later waits');
  strict.receiver.answer({ status: 200 });
  clock.advance(5 * MINUTE);
  await tick();
  const log = await settled(strict, 6);
  assert.deepEqual(sequences(strict), [1, 1, 1, 2, 3, 4]);
  assert.ok(log.every(({ state }) => state === 'delivered'));

  strict.receiver.answer({ status: 500 });
  await happen(strict, 2);
  await settled(strict, 7);
  assert.equal((await endpoint(strict, 'PATCH', { ordered: false })).body.data.ordered, false);
  await tick();
  await settled(strict, 8);
  assert.deepEqual(sequences(strict).slice(6), [5, 6], 'order can be given up');
});

test('an attempt whose worker died is made again by another when its lease ends', async (t) => {
  const setup = await prepare(t);
  const { receiver, customer, hook } = setup;
  receiver.answer('hang');
  await happen(setup);
  await receiver.atLeast(1);
  const [delivery] = await deliveries(setup);
  const id = delivery?.id as string;
  assert.equal(delivery?.next_attempt_at, new Date(clock.now().getTime() + MINUTE).toISOString());
  await tick();
  assert.equal(receiver.received.length, 1, 'it is taken');
  receiver.answer({ status: 200 });
  await asOwner(app, (client) =>
    client.query('update webhook_deliveries set due_at = $1 where id = $2', [clock.now(), id]),
  );
  await tick();
  assert.equal(receiver.received.length, 1, 'the worker that makes the attempt does not take it beside');
  const dial = createDialler({ resolve: async () => [], allowLoopback: true });
  const other = createWebhookLane({ ...(await createWorker(t, app)), dial });
  other.start();
  t.after(() => other.stop());
  const [again] = await eventually(async () => {
    const all = await deliveries(setup);
    return all[0]?.state === 'delivered' && all;
  });
  assert.equal(again?.attempts, 2);
  await other.stop();
  receiver.release();
  const log = await eventually(async () => {
    const attempts = await attemptsAt(app, customer.key, hook, id);
    return attempts[0]?.outcome !== null && attempts;
  });
  assert.deepEqual(
    log.map(({ attempt, outcome, status }) => [attempt, outcome, status]),
    [
      [1, 'broken', null],
      [2, 'delivered', 200],
    ],
  );
  assert.deepEqual(await deliveries(setup), [again], 'the late end of the first attempt changes nothing');
  assertSame(receiver.received);
});
