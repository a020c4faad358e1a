import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TestCustomer } from '../support/app.ts';
import { messageTo, receiptOf } from '../support/mail.ts';
import { signIn } from '../support/people-session.ts';
import { comeIn, DAY, type Office, openOffice, visit } from './visitor.ts';

async function begin(
  t: TestContext,
  env: Record<string, string> = {},
): Promise<{ office: Office; customer: TestCustomer }> {
  const office = await openOffice(t, env);
  return { office, customer: await office.app.createCustomer() };
}

async function deliveryOf({ app }: Office, { key }: TestCustomer, id: string) {
  return (await receiptOf(app, key, id)).body.data.message.message_deliveries[0];
}

test('what nobody picks up in thirty days has not arrived, and the sender is told', async (t) => {
  const { office, customer } = await begin(t, { CAREPOST_RETENTION: 'content=5d' });
  const { id, path } = await office.leave(customer, messageTo('ann@example.com', { content: { 'text/plain': 'x' } }));
  office.clock.advance(30 * DAY - 1_000);
  await office.sweep();
  assert.equal((await visit(office, path).get()).status, 200);
  const content = await office.query('select from message_contents where id = $1', [id]);
  assert.equal(content.length, 1, 'kept for as long as it waits, whatever the retention');
  assert.match((await deliveryOf(office, customer, id)).status.deliveryStatus, /Secure Portal/);

  office.clock.advance(1_000);
  assert.equal((await visit(office, path).get()).status, 404, 'the link ends at once');
  await office.sweep();
  const delivery = await deliveryOf(office, customer, id);
  assert.equal(delivery.status.deliveryStatus, 'hard bounced');
  assert.equal(delivery.status.deliveryTime, office.clock.now().toUTCString().replace('GMT', '+0000'));
  assert.equal(delivery.smtpResponse, 'not picked up within 30 days');
  const events = await office.query('select name, ordinal from message_events where message_id = $1', [id]);
  assert.deepEqual(events, [{ name: 'api_mail_log_permanent_failure', ordinal: 0 }]);
  const acts = await office.query(`select details from audit_log where action = 'pickup.expired'`);
  assert.deepEqual(acts, [{ details: { messages: [`${id}/0`] } }]);
  assert.deepEqual(await office.query('select from pickups'), []);

  await office.sweep();
  assert.equal((await office.query('select from message_events where message_id = $1', [id])).length, 1);
  assert.equal((await office.query('select from message_contents where id = $1', [id])).length, 0);
});

test('what is held stays as it was left, and has not arrived all the same', async (t) => {
  const { office, customer } = await begin(t);
  const { id, path } = await office.leave(customer, messageTo('fay@example.com', { content: { 'text/plain': 'x' } }));
  const owner = await signIn(office.app, customer, 'owner');
  const held = { kind: 'message', target: id, reason: 'Lee v. Clinic' };
  const { body: hold } = await owner.request('POST', '/app/api/holds', { body: held });
  office.clock.advance(30 * DAY);
  await office.sweep();
  assert.equal((await visit(office, path).get()).status, 404);
  assert.equal((await deliveryOf(office, customer, id)).status.deliveryStatus, 'hard bounced');
  assert.equal((await office.query('select from pickups')).length, 1);
  await office.sweep();
  assert.equal((await office.query('select from message_events where message_id = $1', [id])).length, 1);
  await office.query(`update legal_holds set released_at = now(), release = sealed where id = $1`, [hold.id]);
  await office.sweep();
  assert.equal((await office.query('select from pickups')).length, 0);
});

test('what was opened stays delivered, and its content is kept for as long as any from then on', async (t) => {
  const { office, customer } = await begin(t);
  const address = 'ben@example.com';
  const { id, path } = await office.leave(customer, messageTo(address, { content: { 'text/plain': 'x' } }));
  office.clock.advance(20 * DAY);
  await (await comeIn(office, customer, { path, address })).get();
  office.clock.advance(29 * DAY);
  await office.sweep();
  assert.equal((await visit(office, path).get()).status, 404);
  assert.equal((await deliveryOf(office, customer, id)).status.deliveryStatus, 'delivered via secure portal');
  assert.equal((await office.query('select from message_contents where id = $1', [id])).length, 1);
  assert.deepEqual(await office.query('select from pickups'), []);
  office.clock.advance(2 * DAY);
  await office.sweep();
  assert.equal((await office.query('select from message_contents where id = $1', [id])).length, 0);
});

test('codes, sessions and counts of replies are removed when they are over', async (t) => {
  const { office, customer } = await begin(t);
  const address = 'cleo@example.com';
  const { path } = await office.leave(customer, messageTo(address));
  const visitor = await comeIn(office, customer, { path, address });
  await visitor.post('/reply', { reply: 'Thank you' });
  const left = async () => {
    const rows = await office.query(`select (select count(*)::int from pickup_codes) as codes,
      (select count(*)::int from pickup_sessions) as sessions, (select count(*)::int from pickup_replies) as replies`);
    return rows[0];
  };
  await office.sweep();
  assert.deepEqual(await left(), { codes: 1, sessions: 1, replies: 1 });
  office.clock.advance(DAY - 1_000);
  await office.sweep();
  assert.deepEqual(await left(), { codes: 1, sessions: 0, replies: 1 });
  office.clock.advance(1_000);
  await office.sweep();
  assert.deepEqual(await left(), { codes: 0, sessions: 0, replies: 0 });
});

test('links that are wrong, over, cancelled or bounced all get the same page', async (t) => {
  const { office, customer } = await begin(t);
  const pages: string[] = [];
  for (const state of ['cancelled', 'bounced']) {
    const { id, path } = await office.leave(customer, messageTo('dan@example.com'));
    await office.query('update message_recipients set state = $2 where message_id = $1', [id, state]);
    for (const ask of [
      visit(office, path).get(),
      visit(office, path).post('/code'),
      visit(office, path).get('/files/0'),
    ]) {
      const { status, text } = await ask;
      assert.equal(status, 404);
      pages.push(text);
    }
  }
  for (const token of ['x', 'A'.repeat(43), `${'A'.repeat(42)}!`, 'A'.repeat(300), '%00', '..%2f']) {
    const { status, text } = await visit(office, `/pickup/${token}`).get();
    assert.equal(status, 404, token);
    pages.push(text);
  }
  const over = await office.leave(customer, messageTo('eva@example.com'));
  office.clock.advance(30 * DAY);
  pages.push((await visit(office, over.path).get()).text);
  const alike = new Set(pages.map((text) => text.replace(/nonce="[^"]+"/, '')));
  assert.equal(alike.size, 1);
});
