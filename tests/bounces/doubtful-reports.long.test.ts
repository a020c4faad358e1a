import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destroyCustomerKeys } from '../../src/accounts/index.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { eventsOf, loggedMessage, markDelivered, type ReturnDoor, startReturnDoor } from './returned-mail.ts';
import * as samples from './samples.ts';

const DAY = 24 * 3600_000;

async function suppressedBy({ app, customer }: ReturnDoor): Promise<string[]> {
  const { body } = await app.request('GET', '/v1/email/suppressions', { key: customer.key });
  return body.data.map(({ address, reason }: Record<string, string>) => `${address} ${reason}`);
}

const unsuppress = ({ app, customer }: ReturnDoor, address: string) =>
  app.request('DELETE', `/v1/email/suppressions?address=${encodeURIComponent(address)}`, { key: customer.key });

/** How the recipients stand, and how many reports are kept. */
async function standing(door: ReturnDoor, id: string) {
  const { recipients, timeline } = await loggedMessage(door, door.customer, id);
  const kept = timeline.filter(({ event }) => event.startsWith('reported_')).length;
  return { states: recipients.map(({ state }) => state), kept };
}

async function deliveredTo(door: ReturnDoor, ...recipients: string[]): Promise<string> {
  const message = { ...messageTo('x@example.com'), recipients };
  const id = await send(door.app, door.customer.key, message);
  await markDelivered(door, id);
  return id;
}

test('a report counts for 14 days after the last attempt; later it is kept and changes nothing', async (t) => {
  const door = await startReturnDoor(t);
  const [early, late] = [await deliveredTo(door, 'ann@example.com'), await deliveredTo(door, 'bob@example.com')];
  door.clock.advance(14 * DAY);
  await door.giveBack(door.pathOf(early), samples.postfix('ann@example.com'));
  assert.deepEqual(await standing(door, early), { states: ['bounced'], kept: 1 });
  door.clock.advance(1);
  await door.giveBack(door.pathOf(late), samples.postfix('bob@example.com'));
  await door.giveBack(door.pathOf(late), samples.complaint());
  assert.deepEqual(await standing(door, late), { states: ['delivered'], kept: 2 });
  assert.deepEqual(await suppressedBy(door), ['ann@example.com hard_bounce']);

  const insert = `insert into delivery_attempts (message_id, ordinal, attempt, customer_id, started_at) values ($1, 0, 1, $2, $3)`;
  const values = [late, door.customer.id, door.clock.now()];
  await asOwner(door.app, (client) => client.query(insert, values));
  await door.giveBack(door.pathOf(late), samples.postfix('bob@example.com'));
  assert.deepEqual(await standing(door, late), { states: ['bounced'], kept: 3 });
});

test('what does not come from nobody is kept and bounces nobody, and does not stand in the way of what does', async (t) => {
  const door = await startReturnDoor(t);
  const id = await deliveredTo(door, 'ann@example.com');
  for (const mail of [samples.postfix('ann@example.com'), samples.delayed('ann@example.com')])
    assert.match(await door.giveBack(door.pathOf(id), mail, 'ann@example.com'), /^250/);
  assert.deepEqual(await standing(door, id), { states: ['delivered'], kept: 2 });
  assert.deepEqual([await suppressedBy(door), await eventsOf(door, door.customer)], [[], []]);
  await door.giveBack(door.pathOf(id), samples.postfix('ann@example.com'));
  assert.deepEqual(await standing(door, id), { states: ['bounced'], kept: 3 });
  assert.deepEqual(await suppressedBy(door), ['ann@example.com hard_bounce']);
});

test('of several recipients one does not complain for another, unless it comes as from a server', async (t) => {
  const door = await startReturnDoor(t);
  const id = await deliveredTo(door, 'ann@example.com', 'bob@example.com');
  await door.giveBack(door.pathOf(id), samples.complaint({ recipient: 'bob@example.com' }), 'ann@example.com');
  assert.deepEqual(await suppressedBy(door), []);
  const other = await deliveredTo(door, 'ann@example.com', 'bob@example.com');
  await door.giveBack(door.pathOf(other), samples.complaint({ recipient: 'bob@example.com' }));
  const alone = await deliveredTo(door, 'cal@example.com');
  await door.giveBack(door.pathOf(alone), samples.complaint(), 'feedback@provider.example');
  assert.deepEqual((await suppressedBy(door)).toSorted(), ['bob@example.com complaint', 'cal@example.com complaint']);
});

test('a hard report after a soft one suppresses, once', async (t) => {
  const door = await startReturnDoor(t);
  const id = await deliveredTo(door, 'ann@example.com');
  await door.giveBack(door.pathOf(id), samples.gmailFull('ann@example.com'));
  assert.deepEqual(await suppressedBy(door), []);
  await door.giveBack(door.pathOf(id), samples.postfix('ann@example.com'));
  assert.deepEqual(await suppressedBy(door), ['ann@example.com hard_bounce']);
  assert.deepEqual(await eventsOf(door, door.customer), ['permanent_failure ann@example.com']);
  await unsuppress(door, 'ann@example.com');
  for (const mail of [samples.postfix('ann@example.com'), samples.gmailFull('ann@example.com')])
    await door.giveBack(door.pathOf(id), mail);
  assert.deepEqual(await suppressedBy(door), []);
});

test('who has read the content at the pickup page has it, whatever a server says of the notice', async (t) => {
  const door = await startReturnDoor(t);
  const [read, waiting] = [await deliveredTo(door, 'ann@example.com'), await deliveredTo(door, 'bob@example.com')];
  const change = 'update message_recipients set portal = true, state = $2 where message_id = $1';
  await asOwner(door.app, async (client) => {
    await client.query(change, [read, 'delivered']);
    await client.query(change, [waiting, 'noticed']);
  });
  await door.giveBack(door.pathOf(read), samples.postfix('ann@example.com'));
  await door.giveBack(door.pathOf(waiting), samples.postfix('bob@example.com'));
  assert.deepEqual(await standing(door, read), { states: ['delivered'], kept: 1 });
  assert.deepEqual(await standing(door, waiting), { states: ['bounced'], kept: 1 });
  assert.deepEqual(await suppressedBy(door), ['bob@example.com hard_bounce']);
});

test('a report may write an address in other letters than the message did', async (t) => {
  const door = await startReturnDoor(t);
  const id = await deliveredTo(door, 'ann@xn--bcher-kva.example', 'bob@example.com');
  const fields = String.raw`Final-Recipient: utf-8; ann@b\x{FC}cher.example
Action: failed
Status: 5.1.1`;
  await door.giveBack(door.pathOf(id), samples.deliveryReport({ fields }));
  assert.deepEqual((await standing(door, id)).states, ['bounced', 'delivered']);
  assert.deepEqual(await suppressedBy(door), ['ann@xn--bcher-kva.example hard_bounce']);
});

test('where the keys of a customer were destroyed a report is taken and nothing is kept', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const id = await deliveredTo(door, 'ann@example.com');
  const { installation } = app;
  await destroyCustomerKeys(
    { ...installation, store: installation.keyStore, backupDays: 1 },
    app.act(customer.id, 'x'),
  );
  assert.match(await door.giveBack(door.pathOf(id), samples.postfix('ann@example.com')), /^250/);
  const { rows } = await asOwner(app, (client) => client.query('select from message_reports'));
  assert.equal(rows.length, 0);
});
