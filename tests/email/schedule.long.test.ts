import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { whileHeld } from '../marketing/support.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { deliveredReceipt, messageTo, receiptOf, sandboxCopy, send } from '../support/mail.ts';
import { untilServed } from '../support/until-served.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

async function setUp(t: TestContext, roles = 'http,worker') {
  const clock = createMovableClock();
  const app = await startApp(t, { clock, env: { CAREPOST_ROLES: roles } });
  const customer = await app.createCustomer();
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  return { app, clock, customer, inMs };
}

function schedule(app: TestApp, key: string, scheduledAt: unknown, message: unknown = messageTo('ann@example.com')) {
  const data = { message, scheduled_at: scheduledAt };
  return app.request('POST', '/v1/email/schedule', { key, body: { data } });
}

test('a scheduled message waits, can be read and moved, and leaves at its time', async (t) => {
  const { app, clock, customer, inMs } = await setUp(t);
  const { key } = customer;
  const at = inMs(2 * HOUR);
  const made = await schedule(app, key, at);
  const id = made.body.sourceTrackingId;
  assert.deepEqual(made.body, { sourceTrackingId: id, scheduledAt: at, state: 'pending', data: 'Service OK' });
  const path = `/v1/email/schedule/${id}`;
  const pending = await app.request('GET', path, { key });
  const { messageId, ...rest } = pending.body;
  assert.ok(Number.isInteger(messageId));
  const unsent = { sentAt: null, cancelledAt: null, errorMessage: null };
  assert.deepEqual(rest, { sourceTrackingId: id, scheduledAt: at, state: 'pending', ...unsent });
  const receipt = await receiptOf(app, key, id);
  assert.equal(receipt.body.data.message.message_deliveries[0].status.deliveryStatus, 'processing');
  assert.equal((await app.request('GET', '/v1/email/message_log?state=scheduled', { key })).body.data.length, 1);

  const later = new Date(clock.now().getTime() + 3 * HOUR).toISOString().replace('Z', '+00:00');
  const moved = await app.request('PATCH', path, { key, body: { scheduled_at: later } });
  const told = new Date(later).toISOString();
  assert.deepEqual([moved.status, moved.body.data, moved.body.scheduledAt], [200, 'Rescheduled', told]);
  clock.advance(2 * HOUR);
  // Another message that leaves at once shows that delivery has looked meanwhile.
  const other = await app.request('POST', '/v1/email/messages', {
    key,
    body: { data: { message: messageTo('b@example.com') } },
  });
  await deliveredReceipt(app, key, other.body.sourceTrackingId);
  assert.equal((await app.request('GET', path, { key })).body.state, 'pending');
  clock.advance(HOUR);
  await deliveredReceipt(app, key, id);
  const sent = (await app.request('GET', path, { key })).body;
  assert.equal(sent.state, 'sent');
  assert.equal(sent.messageId, messageId);
  assert.ok(sent.sentAt >= new Date(later).toISOString());
  const copy = await sandboxCopy(app, key, id);
  assert.equal(copy.subject, 'Your visit');
  assert.equal(copy.headers.Date, new Date(later).toUTCString().replace('GMT', '+0000'));
  for (const [method, path_, body] of [
    ['PATCH', path, { scheduled_at: inMs(HOUR) }],
    ['POST', `${path}/cancel`, {}],
  ] as const) {
    assert.equal((await app.request(method, path_, { key, body })).status, 409);
  }
});

test('a cancelled message never leaves', async (t) => {
  const { app, clock, customer, inMs } = await setUp(t);
  const { key } = customer;
  const message = messageTo('ann@example.com', { cc: ['ben@example.com'], bcc: ['carl@example.com'] });
  const id = (await schedule(app, key, inMs(HOUR), message)).body.sourceTrackingId;
  const cancelled = await app.request('POST', `/v1/${customer.username}/schedule/${id}/cancel`, { key, raw: 'null' });
  assert.deepEqual([cancelled.status, cancelled.body.state, cancelled.body.data], [200, 'cancelled', 'Cancelled']);
  assert.equal(cancelled.body.cancelledAt, clock.now().toISOString());
  assert.equal((await app.request('POST', `/v1/email/schedule/${id}/cancel`, { key })).status, 409);
  clock.advance(2 * HOUR);
  const other = await app.request('POST', '/v1/email/messages', {
    key,
    body: { data: { message: messageTo('b@example.com') } },
  });
  await deliveredReceipt(app, key, other.body.sourceTrackingId);
  const { data } = (await app.request('GET', '/v1/email/message_log?state=cancelled', { key })).body;
  assert.deepEqual(
    data.map((each: { sourceTrackingId: string }) => each.sourceTrackingId),
    [id],
  );
  const receipt = await receiptOf(app, key, id);
  assert.deepEqual(
    receipt.body.data.message.message_deliveries,
    ['ann@example.com', 'ben@example.com', 'carl@example.com'].map((recipient) => ({
      recipient,
      status: { deliveryStatus: 'processing' },
      attempts: 0,
      smtpResponse: 'cancelled: the message was taken back before it left',
    })),
    'what happened is told, and no address is called bad',
  );
  assert.deepEqual((await app.request('GET', '/v1/email/suppressions', { key })).body.data, []);
});

test('cancelling and delivery at the same moment: either it leaves or it is cancelled', async (t) => {
  const { app, clock, customer, inMs } = await setUp(t);
  const { key } = customer;
  const ids: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    const message = messageTo('ann@example.com', { cc: ['ben@example.com'] });
    ids.push((await schedule(app, key, inMs(HOUR), message)).body.sourceTrackingId);
  }
  clock.advance(HOUR);
  // What is accepted now wakes delivery, which would otherwise look a second later, when all are cancelled.
  const [replies] = await Promise.all([
    Promise.all(ids.map((id) => untilServed(() => app.request('POST', `/v1/email/schedule/${id}/cancel`, { key })))),
    send(app, key, messageTo('carl@example.com')),
  ]);
  for (const [index, id] of ids.entries()) {
    const status = replies[index]?.status;
    assert.ok(status === 200 || status === 409, `${status} ${replies[index]?.text}`);
    if (status === 409) await deliveredReceipt(app, key, id);
    const { attempts } = (await receiptOf(app, key, id)).body.data.message.message_deliveries[0];
    assert.equal(attempts, status === 200 ? 0 : 1);
  }
});

test('what delivery takes up while somebody takes it back or moves it is neither cancelled nor moved', async (t) => {
  const { app, customer, inMs } = await setUp(t, 'http');
  const { key } = customer;
  const id = (await schedule(app, key, inMs(HOUR))).body.sourceTrackingId;
  const path = `/v1/email/schedule/${id}`;
  const statuses: number[] = [];
  const cancel = async () => statuses.push((await app.request('POST', `${path}/cancel`, { key })).status);
  const body = { scheduled_at: inMs(2 * HOUR) };
  const move = async () => statuses.push((await app.request('PATCH', path, { key, body })).status);
  const taken = 'update message_recipients set attempts = 1 where message_id = $1';
  await whileHeld(app, [taken, [id]], [cancel, move]);
  assert.deepEqual(statuses, [409, 409]);
});

test('the time lies ahead, and at most 30 days', async (t) => {
  const { app, customer, inMs } = await setUp(t, 'http');
  const statusOf = async (at: unknown) => (await schedule(app, customer.key, at)).status;
  assert.equal(await statusOf(inMs(30 * DAY)), 200);
  assert.equal(await statusOf(inMs(30 * DAY + 1)), 422);
  assert.equal(await statusOf(inMs(1)), 200);
  assert.equal(await statusOf(inMs(0)), 422);
  assert.equal(await statusOf('2020-01-01T00:00:00Z'), 422);
  for (const wrong of ['tomorrow', '2026-13-01T00:00:00Z', '2026-02-30', '', 5, null, {}]) {
    assert.equal(await statusOf(wrong), 400, JSON.stringify(wrong));
  }
  const day = inMs(20 * DAY).slice(0, 10);
  for (const wrong of [`${day}T24:00:00Z`, `${day}T23:60:00Z`, `${day}T23:59:60Z`, `${day}T10:00:00+24:00`]) {
    assert.equal(await statusOf(wrong), 400, wrong);
  }
  const id = (await schedule(app, customer.key, inMs(HOUR))).body.sourceTrackingId;
  const move = (at: string) =>
    app.request('PATCH', `/v1/email/schedule/${id}`, { key: customer.key, body: { scheduled_at: at } });
  assert.equal((await move(inMs(30 * DAY + 1))).status, 422);
  assert.equal((await move(inMs(-1))).status, 422);
  assert.equal((await move('soon')).status, 400);
});

test('a message that is moved again and again leaves within 90 days, and is looked for until then', async (t) => {
  const { app, clock, customer, inMs } = await setUp(t);
  const { key } = customer;
  const id = (await schedule(app, key, inMs(30 * DAY))).body.sourceTrackingId;
  const move = (at: string) => app.request('PATCH', `/v1/email/schedule/${id}`, { key, body: { scheduled_at: at } });
  for (let day = 20; day <= 60; day += 20) {
    clock.advance(20 * DAY);
    assert.equal((await move(inMs(30 * DAY))).status, 200, `on day ${day}`);
  }
  clock.advance(20 * DAY);
  const beyond = await move(inMs(10 * DAY + 1000));
  assert.equal(beyond.status, 422);
  assert.match(beyond.text, /lies more than 90 days after the message was accepted/);
  assert.equal((await move(inMs(9 * DAY))).status, 200);
  clock.advance(9 * DAY + HOUR);
  await deliveredReceipt(app, key, id);
});

test('a day that no calendar has is refused', async (t) => {
  const clock = createMovableClock(new Date('2026-11-16T12:00:00Z'));
  const app = await startApp(t, { clock });
  const { key } = await app.createCustomer();
  for (const wrong of ['2026-11-31T10:00:00Z', '2026-11-31 10:00', '2026-11-00T10:00:00Z', '2026-00-01T10:00:00Z']) {
    assert.equal((await schedule(app, key, wrong)).status, 400, wrong);
  }
  assert.equal((await schedule(app, key, '2026-11-30T23:59:59Z')).status, 200);
});

test('the time is told in UTC, however it was written', async (t) => {
  const clock = createMovableClock(new Date('2026-11-16T12:00:00Z'));
  const app = await startApp(t, { clock });
  const { key } = await app.createCustomer();
  for (const [written, told] of [
    ['2026-12-01T10:00:00Z', '2026-12-01T10:00:00Z'],
    ['2026-12-01T10:00:00.5Z', '2026-12-01T10:00:00.5Z'],
    ['2026-12-01 10:00', '2026-12-01T10:00:00.000Z'],
    ['2026-12-01t10:00:00z', '2026-12-01T10:00:00.000Z'],
    ['2026-12-01T10:00:00+02:00', '2026-12-01T08:00:00.000Z'],
  ]) {
    const { body } = await schedule(app, key, written);
    assert.equal(body.scheduledAt, told, written);
    const read = await app.request('GET', `/v1/email/schedule/${body.sourceTrackingId}`, { key });
    assert.equal(read.body.scheduledAt, told, written);
  }
});

test('an id that was never scheduled is not found', async (t) => {
  const { app, customer } = await setUp(t, 'http');
  const { key } = customer;
  const sent = await app.request('POST', '/v1/email/messages', {
    key,
    body: { data: { message: messageTo('a@example.com') } },
  });
  for (const id of [sent.body.sourceTrackingId, '0f0f0f0f-0000-4000-8000-000000000000', 'x']) {
    assert.equal((await app.request('GET', `/v1/email/schedule/${id}`, { key })).status, 404, id);
  }
});
