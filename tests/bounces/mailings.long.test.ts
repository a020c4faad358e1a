import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destroyCustomerKeys } from '../../src/accounts/index.ts';
import { addList, addMail, addPerson, rowsOf, suppressionsOf } from '../consent/mailing.ts';
import { asOwner } from '../support/owner.ts';
import { type ReturnDoor, startReturnDoor } from './returned-mail.ts';
import * as samples from './samples.ts';

/** A mail of a mailing that somebody got, as the ledger and the counts have it. */
async function sentMail({ app, customer }: ReturnDoor, email: string, state = 'delivered') {
  const listId = await addList(app, customer, { name: email });
  const personId = await addPerson(app, customer, email, listId);
  const mail = await addMail(app, customer, personId, { subscription_list_id: listId });
  await asOwner(app, async (client) => {
    await client.query('update mailing_recipients set state = $2 where id = $1', [mail.mailId, state]);
    await client.query('update send_counts set sent = 0 where send_id = $1', [mail.sendId]);
    if (['delivered', 'uncertain', 'sent'].includes(state))
      await client.query(`update send_counts set ${state} = 1 where send_id = $1`, [mail.sendId]);
  });
  return { ...mail, personId };
}

async function standing({ app, customer }: ReturnDoor, { mailId, sendId }: { mailId: string; sendId: number }) {
  const [row] = await rowsOf(
    app,
    customer,
    `select r.state, r.rule, r.due_at is null as ended, c.sent, c.delivered, c.uncertain, c.soft_bounced as soft,
       c.hard_bounced as hard
     from mailing_recipients r join send_counts c on c.send_id = r.send_id
     where r.customer_id = $1 and r.id = '${mailId}' and c.send_id = ${sendId}`,
  );
  return row;
}

const NONE = { sent: 0, delivered: 0, uncertain: 0, soft: 0, hard: 0, ended: true };
const HARD = { ...NONE, state: 'bounced', rule: 'hard_bounce', hard: 1 };

test('mail of a mailing that comes back has bounced: in its ledger and counts, whatever was thought of it', async (t) => {
  const door = await startReturnDoor(t);
  for (const state of ['delivered', 'sent', 'uncertain', 'deferred', 'sending']) {
    const mail = await sentMail(door, `${state}@example.com`, state);
    const path = door.pathOf(mail.mailId, 'mailing-bounce');
    assert.match(await door.giveBack(path, samples.postfix(`${state}@example.com`)), /^250/);
    assert.deepEqual(await standing(door, mail), HARD, state);
    await door.giveBack(path, samples.gmailFull(`${state}@example.com`));
    assert.deepEqual(await standing(door, mail), HARD, 'a second report changes nothing');
  }
  const suppressed = await suppressionsOf(door.app, door.customer);
  assert.equal(suppressed.length, 5);
  assert.ok(suppressed.every(({ reason }) => reason === 'hard_bounce'));
});

test('who was left out, or has bounced before, stays as they were', async (t) => {
  const door = await startReturnDoor(t);
  for (const state of ['queued', 'excluded', 'suppressed', 'cancelled', 'bounced']) {
    const mail = await sentMail(door, `${state}@example.com`, state);
    await door.giveBack(door.pathOf(mail.mailId, 'mailing-bounce'), samples.postfix(`${state}@example.com`));
    assert.deepEqual(await standing(door, mail), { ...NONE, state, rule: null });
  }
  assert.deepEqual(await suppressionsOf(door.app, door.customer), []);
});

test('a full mailbox is a soft bounce, a delay none, and neither suppresses; a complaint does and bounces nothing', async (t) => {
  const door = await startReturnDoor(t);
  const mail = await sentMail(door, 'ann@example.com');
  const path = door.pathOf(mail.mailId, 'mailing-bounce');
  await door.giveBack(path, samples.delayed('ann@example.com'));
  assert.deepEqual(await standing(door, mail), { ...NONE, state: 'delivered', rule: null, delivered: 1 });
  await door.giveBack(path, samples.gmailFull('ann@example.com'));
  assert.deepEqual(await standing(door, mail), { ...NONE, state: 'bounced', rule: 'soft_bounce', soft: 1 });
  assert.deepEqual(await suppressionsOf(door.app, door.customer), []);

  const other = await sentMail(door, 'bob@example.com');
  await door.giveBack(door.pathOf(other.mailId, 'mailing-bounce'), samples.complaint());
  assert.deepEqual(await standing(door, other), { ...NONE, state: 'delivered', rule: null, delivered: 1 });
  const [suppressed] = await suppressionsOf(door.app, door.customer);
  assert.deepEqual([suppressed?.address, suppressed?.reason], ['bob@example.com', 'complaint']);
  assert.equal(suppressed?.sourceTrackingId, other.mailId);
  const audit = await rowsOf(
    door.app,
    door.customer,
    `select target, details->>'kind' as kind from audit_log where customer_id = $1 and action = 'mailing.reported' order by target`,
  );
  assert.deepEqual(audit, [
    { target: mail.mailId, kind: 'failed' },
    { target: other.mailId, kind: 'complaint' },
  ]);
});

test('whoever has another address by now is not suppressed for the old one', async (t) => {
  const door = await startReturnDoor(t);
  const mail = await sentMail(door, 'new@example.com');
  await door.giveBack(door.pathOf(mail.mailId, 'mailing-bounce'), samples.postfix('old@example.com'));
  assert.deepEqual(await standing(door, mail), HARD);
  assert.deepEqual(await suppressionsOf(door.app, door.customer), []);
});

test('a send that waits for a decision on mail that then bounces goes on', async (t) => {
  const door = await startReturnDoor(t);
  const mail = await sentMail(door, 'ann@example.com', 'uncertain');
  const setState = `update campaign_mailing_sends set state = 'needs_decision' where id = $1`;
  await asOwner(door.app, (client) => client.query(setState, [mail.sendId]));
  await door.giveBack(door.pathOf(mail.mailId, 'mailing-bounce'), samples.postfix('ann@example.com'));
  const [send] = await rowsOf(
    door.app,
    door.customer,
    `select state from campaign_mailing_sends where customer_id = $1 and id = ${mail.sendId}`,
  );
  assert.equal(send?.state, 'sending');
});

test('drips hear of a hard bounce by its suppression', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const mail = await sentMail(door, 'ann@example.com');
  await asOwner(app, (client) =>
    client.query(
      `insert into drip_interests (customer_id, drip_id, kind, subject, enters) values ($1, 1, 'suppressed', '', false)`,
      [customer.id],
    ),
  );
  await door.giveBack(door.pathOf(mail.mailId, 'mailing-bounce'), samples.exim('ann@example.com'));
  const told = await rowsOf(app, customer, `select kind from drip_facts where customer_id = $1`);
  assert.deepEqual(told, [{ kind: 'suppressed' }]);
});

test('a complaint counts once: repeated, it does not bring back a suppression that was removed', async (t) => {
  const door = await startReturnDoor(t);
  const { app, customer } = door;
  const mail = await sentMail(door, 'ann@example.com');
  const path = door.pathOf(mail.mailId, 'mailing-bounce');
  await door.giveBack(path, samples.complaint(), 'feedback@provider.example');
  assert.equal((await suppressionsOf(app, customer)).length, 1);
  await app.request('DELETE', '/v1/email/suppressions?address=ann%40example.com', { key: customer.key });
  assert.match(await door.giveBack(path, samples.complaint(), 'feedback@provider.example'), /^250/);
  assert.deepEqual(await suppressionsOf(app, customer), []);
});

test('a hard report after a soft one counts as hard, and suppresses', async (t) => {
  const door = await startReturnDoor(t);
  const mail = await sentMail(door, 'ann@example.com');
  const path = door.pathOf(mail.mailId, 'mailing-bounce');
  for (const report of [samples.gmailFull('ann@example.com'), samples.postfix('ann@example.com')])
    await door.giveBack(path, report);
  assert.deepEqual(await standing(door, mail), HARD);
  assert.equal((await suppressionsOf(door.app, door.customer)).length, 1);
});

test('what does not come from nobody, or comes after 14 days, bounces nothing', async (t) => {
  const door = await startReturnDoor(t);
  const mail = await sentMail(door, 'ann@example.com');
  const path = door.pathOf(mail.mailId, 'mailing-bounce');
  const settle = (at: Date) =>
    asOwner(door.app, (client) =>
      client.query('update mailing_recipients set settled_at = $2 where id = $1', [mail.mailId, at]),
    );
  await settle(door.clock.now());
  await door.giveBack(path, samples.postfix('ann@example.com'), 'ann@example.com');
  door.clock.advance(14 * 24 * 3600_000 + 1);
  await door.giveBack(path, samples.postfix('ann@example.com'));
  assert.deepEqual(await standing(door, mail), { ...NONE, state: 'delivered', rule: null, delivered: 1 });
  await settle(new Date(door.clock.now().getTime() - 14 * 24 * 3600_000));
  await door.giveBack(path, samples.postfix('ann@example.com'));
  assert.deepEqual(await standing(door, mail), HARD);
});

test('where the keys of a customer were destroyed a report is taken and nothing changes', async (t) => {
  const door = await startReturnDoor(t);
  const { installation, act } = door.app;
  const mail = await sentMail(door, 'ann@example.com');
  const deps = { ...installation, store: installation.keyStore, backupDays: 1 };
  await destroyCustomerKeys(deps, act(door.customer.id, 'x'));
  const path = door.pathOf(mail.mailId, 'mailing-bounce');
  assert.match(await door.giveBack(path, samples.postfix('ann@example.com')), /^250/);
  assert.equal((await standing(door, mail))?.state, 'delivered');
});
