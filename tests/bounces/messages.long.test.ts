import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { eventsOf, loggedMessage, markDelivered, type ReturnDoor, startReturnDoor } from './returned-mail.ts';
import * as samples from './samples.ts';

async function suppressionsOf({ app }: ReturnDoor, { key }: TestCustomer) {
  const { body } = await app.request('GET', '/v1/email/suppressions', { key });
  return body.data.map(({ address, reason, sourceTrackingId }: Record<string, string>) => [
    address,
    reason,
    sourceTrackingId,
  ]);
}

async function deliveriesOf({ app }: ReturnDoor, { key }: TestCustomer, id: string) {
  const { body } = await receiptOf(app, key, id);
  return body.data.message.message_deliveries.map(
    ({
      recipient,
      status,
      smtpResponse,
    }: {
      recipient: string;
      status: { deliveryStatus: string };
      smtpResponse?: string;
    }) => [recipient, status.deliveryStatus, smtpResponse],
  );
}

test('mail that was delivered and bounces later is a bounce: in receipt, log, events, suppressions and audit', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const id = await send(app, customer.key, messageTo('Ann@example.com'));
  await markDelivered(door, id);
  door.clock.advance(60_000);
  assert.match(await door.giveBack(door.pathOf(id), samples.postfix('ann@EXAMPLE.com')), /^250 2\.0\.0/);

  const words = '550 5.1.1 <ann@EXAMPLE.com>: Recipient address rejected: User unknown';
  assert.deepEqual(await deliveriesOf(door, customer, id), [['Ann@example.com', 'hard bounced', words]]);
  assert.deepEqual(await eventsOf(door, customer), ['permanent_failure Ann@example.com']);
  assert.deepEqual(await suppressionsOf(door, customer), [['Ann@example.com', 'hard_bounce', id]]);
  const { state, recipients, timeline } = await loggedMessage(door, customer, id);
  assert.deepEqual([state, recipients[0]?.state], ['bounced', 'bounced']);
  const reported = timeline.find(({ event }) => event === 'reported_failed');
  assert.deepEqual([reported?.recipient, reported?.said], ['Ann@example.com', words]);
  const audit = await asOwner(app, (client) =>
    client.query(`select target, details from audit_log where customer_id = $1 and action = 'message.reported'`, [
      customer.id,
    ]),
  );
  const details = { kind: 'failed', recipient: 0, effect: 'hard', status: '5.1.1', suppressed: 'hard_bounce' };
  assert.deepEqual(audit.rows, [{ target: id, details }]);
  assert.doesNotMatch(app.logged(), /example\.com|secret|User unknown/i);
});

test('the same report twice changes nothing, and its path may come in any case', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const id = await send(app, customer.key, messageTo('ann@example.com'));
  for (const path of [door.pathOf(id), door.pathOf(id), door.pathOf(id).toUpperCase()])
    assert.match(await door.giveBack(path, samples.postfix('ann@example.com')), /^250/);
  assert.equal((await eventsOf(door, customer)).length, 1);
  const { timeline } = await loggedMessage(door, customer, id);
  assert.equal(timeline.filter(({ event }) => event === 'reported_failed').length, 1);

  await app.request('DELETE', '/v1/email/suppressions?address=ann%40example.com', { key: customer.key });
  await door.giveBack(door.pathOf(id), samples.postfix('ann@example.com'));
  assert.deepEqual(await suppressionsOf(door, customer), [], 'an old report does not bring back what was removed');
});

test('a delay is told and changes nothing; what is soft bounces and suppresses nobody', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const id = await send(app, customer.key, messageTo('ann@example.com'));
  await markDelivered(door, id);
  await door.giveBack(door.pathOf(id), samples.delayed('ann@example.com'));
  assert.deepEqual(await deliveriesOf(door, customer, id), [
    ['ann@example.com', 'delivered', '421 4.4.1 no answer yet'],
  ]);
  await door.giveBack(door.pathOf(id), samples.gmailFull('ann@example.com'));
  const [delivery] = await deliveriesOf(door, customer, id);
  assert.equal(delivery?.[1], 'hard bounced');
  assert.match(delivery?.[2] ?? '', /^552-5\.2\.2/);
  assert.deepEqual(await eventsOf(door, customer), [
    'temporary_failure ann@example.com',
    'permanent_failure ann@example.com',
  ]);
  assert.deepEqual(await suppressionsOf(door, customer), []);
});

test('of several recipients the one that a report names bounces; of a report that names none of them nobody does', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const recipients = ['ann@example.com', 'bob@example.com', 'cal@example.com'];
  const id = await send(app, customer.key, { ...messageTo('x@example.com'), recipients });
  await markDelivered(door, id);
  await door.giveBack(door.pathOf(id), samples.exchange('stranger@example.com'));
  assert.deepEqual(await eventsOf(door, customer), []);
  await door.giveBack(door.pathOf(id), samples.exchange('bob@example.com'));
  const statuses = (await deliveriesOf(door, customer, id)).map(([, status]: string[]) => status);
  assert.deepEqual(statuses, ['delivered', 'hard bounced', 'delivered']);
  assert.deepEqual(await suppressionsOf(door, customer), [['bob@example.com', 'hard_bounce', id]]);
});

test('mail to one that was forwarded bounces, but the address that forwards is not to blame', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const id = await send(app, customer.key, messageTo('ann@example.com'));
  await markDelivered(door, id);
  await door.giveBack(door.pathOf(id), samples.qmail('elsewhere@example.net'));
  assert.equal((await deliveriesOf(door, customer, id))[0]?.[1], 'hard bounced');
  assert.deepEqual(await suppressionsOf(door, customer), []);
});

test('a complaint suppresses and is noted; other feedback is noted; whoever is away changes nothing', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const id = await send(app, customer.key, messageTo('ann@example.com'));
  await markDelivered(door, id);
  assert.match(await door.giveBack(door.pathOf(id), samples.autoReply()), /^250/);
  assert.match(await door.giveBack(door.pathOf(id), samples.complaint({ type: 'not-spam' })), /^250/);
  assert.deepEqual(await suppressionsOf(door, customer), []);
  assert.match(await door.giveBack(door.pathOf(id), samples.complaint()), /^250/);
  assert.deepEqual(await suppressionsOf(door, customer), [['ann@example.com', 'complaint', id]]);
  assert.deepEqual(await eventsOf(door, customer), []);
  const { state, timeline } = await loggedMessage(door, customer, id);
  assert.equal(state, 'delivered');
  const noted = timeline.flatMap(({ event, said }) => (said === undefined ? [] : [[event, said]]));
  assert.deepEqual(noted, [
    ['reported_feedback', 'feedback: not-spam'],
    ['reported_complaint', 'feedback: abuse'],
  ]);
});

test("a return path reaches the message that it was made for, and no other customer's", async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const other = await app.createCustomer();
  const mine = await send(app, customer.key, messageTo('ann@example.com'));
  const theirs = await send(app, other.key, messageTo('ann@example.com'));
  await door.giveBack(door.pathOf(mine), samples.postfix('ann@example.com'));
  assert.equal((await loggedMessage(door, other, theirs)).recipients[0]?.state, 'queued');
  assert.deepEqual([await eventsOf(door, other), await suppressionsOf(door, other)], [[], []]);
  assert.equal((await suppressionsOf(door, customer)).length, 1);
  // What is kept of a message of nobody is nothing.
  assert.match(
    await door.giveBack(door.pathOf('019a0000-0000-7000-8000-000000000000'), samples.postfix('a@b.test')),
    /^250/,
  );
  assert.match(await door.giveBack(door.pathOf(mine, 'mailing-bounce'), samples.postfix('ann@example.com')), /^250/);
});

test('who is suppressed by a report gets nothing until the suppression is removed, and then mail again', async (t) => {
  const door = await startReturnDoor(t, 'http,smtp,worker');
  const { app, customer } = door;
  const first = await send(app, customer.key, messageTo('ann@example.com'));
  await eventually(async () => (await deliveriesOf(door, customer, first))[0]?.[1] === 'delivered');
  await door.giveBack(door.pathOf(first), samples.exim('ann@example.com'));
  const second = await send(app, customer.key, messageTo('ann@example.com'));
  await eventually(async () =>
    /^suppressed: .*hard_bounce/.test((await deliveriesOf(door, customer, second))[0]?.[2] ?? ''),
  );
  const { status } = await app.request('DELETE', '/v1/email/suppressions?address=ann%40example.com', {
    key: customer.key,
  });
  assert.equal(status, 200);
  const third = await send(app, customer.key, messageTo('ann@example.com'));
  await eventually(async () => (await deliveriesOf(door, customer, third))[0]?.[1] === 'delivered');
});
