import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMailPeer } from '../mailings/mail-peer.ts';
import { addList, addMailing, sendIn, startSend } from '../mailings/mailing.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, send } from '../support/mail.ts';
import { DOMAIN, loggedMessage, startReturnDoor } from './returned-mail.ts';
import * as samples from './samples.ts';

test('what a peer took and returns to where it came from is a bounce of that message, or of that mailing', async (t) => {
  const peer = await startMailPeer(t);
  const door = await startReturnDoor(t, 'http,smtp,worker', peer.target);
  const { app, customer } = door;
  const id = await send(app, customer.key, messageTo('ann@example.com'));
  const mailingId = await addMailing(app, customer);
  const list = await addList(app, customer, ['bob@example.com']);
  const sendId = await startSend(app, customer, mailingId, { subscription_list_id: list });
  const pathTo = (wanted: string) =>
    eventually(async () => peer.received.find(({ recipient }) => recipient === wanted)?.returnPath);
  const [ann, bob] = [await pathTo('ann@example.com'), await pathTo('bob@example.com')];
  for (const path of [ann, bob]) assert.match(path, new RegExp(`^b[a-z2-7]{58}@${DOMAIN}$`));
  assert.notEqual(ann, bob);

  await door.giveBack(ann, samples.postfix('ann@example.com'));
  await door.giveBack(bob, samples.postfix('bob@example.com'));
  const { delivered, hard_bounced: hard } = await sendIn(app, customer, sendId, 'finished');
  assert.deepEqual([delivered, hard], [0, 1]);
  assert.equal((await loggedMessage(door, customer, id)).recipients[0]?.state, 'bounced');
});
