import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { signIn } from '../support/people-session.ts';

test('what became of a message is told by its key, for a day, to those of its customer alone', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const customer = await app.createCustomer();
  const [sender, stranger] = [
    await signIn(app, customer, 'editor'),
    await signIn(app, await app.createCustomer(), 'owner'),
  ];
  const send = (key: string, to: string) => {
    const content = { 'text/plain': 'See you on Monday.' };
    const message = { recipients: [to], headers: { from: 'a@example.org', subject: 'x' }, content };
    return sender.request('POST', '/v1/email/messages', {
      headers: { 'idempotency-key': key },
      body: { data: { message } },
    });
  };
  const ask = async (key: string, person = sender, operation = 'sendMessage') => {
    const { status, body } = await person.request('POST', '/app/api/unanswered_message', { body: { operation, key } });
    assert.equal(status, 200);
    return body;
  };
  const [accepted, refused] = [randomUUID(), randomUUID()];
  const { body: sent } = await send(accepted, 'ann@example.com');
  assert.equal((await send(refused, 'no address')).status, 400);

  assert.deepEqual(await ask(accepted), { state: 'accepted', id: sent.sourceTrackingId });
  assert.deepEqual(await ask(refused), { state: 'refused', id: null });
  const unknown = { state: 'unknown', id: null };
  assert.deepEqual(await ask(randomUUID()), unknown);
  assert.deepEqual(await ask(accepted, sender, 'scheduleMessage'), unknown);
  assert.deepEqual(await ask(accepted, stranger), unknown);

  clock.advance(25 * 3600_000);
  const later = await signIn(app, customer, 'editor');
  assert.deepEqual(await ask(accepted, later), unknown);
});
