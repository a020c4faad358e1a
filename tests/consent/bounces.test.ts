import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { INSTALLATION } from '../../src/accounts/index.ts';
import { createLinkTokens } from '../../src/email/index.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createPeer, createWorker, deliverDue, willing } from '../support/delivery.ts';
import { receiptOf, send } from '../support/mail.ts';
import { suppressionsOf } from './mailing.ts';

async function worker(t: TestContext) {
  const app = await startApp(t);
  return { app, customer: await app.createCustomer(), deps: await createWorker(t, app) };
}

const mailTo = (...recipients: string[]) => ({ recipients, headers: { from: 'clinic@example.org', subject: 'x' } });

async function statusesOf(app: TestApp, { key }: TestCustomer, id: string) {
  const { message_deliveries: deliveries } = (await receiptOf(app, key, id)).body.data.message;
  return (deliveries as { status: { deliveryStatus: string } }[]).map(({ status }) => status.deliveryStatus);
}

test('an address that a peer does not know gets nothing more, and the receipt and the events say why', async (t) => {
  const { app, customer, deps } = await worker(t);
  const peer = createPeer((command) =>
    command.includes('Gone@')
      ? '550 5.1.1 no such user'
      : command.includes('full@')
        ? '552 5.2.2 full'
        : willing(command),
  );
  const first = await send(app, customer.key, mailTo('Gone@example.com', 'full@example.com', 'ann@example.com'));
  await deliverDue(deps, peer.find);
  assert.deepEqual(await statusesOf(app, customer, first), ['hard bounced', 'hard bounced', 'delivered']);
  const suppressed = await suppressionsOf(app, customer);
  const wanted = { address: 'Gone@example.com', reason: 'hard_bounce', sourceTrackingId: first };
  assert.deepEqual(suppressed, [{ ...wanted, createdAt: suppressed[0]?.createdAt }]);

  const second = await send(app, customer.key, mailTo('gone@example.com', 'ann@example.com'));
  const third = await send(app, customer.key, mailTo('GONE@example.com'));
  peer.asked.length = 0;
  await deliverDue(deps, peer.find);
  assert.deepEqual(peer.asked, ['ann@example.com']);
  assert.deepEqual(await statusesOf(app, customer, second), ['hard bounced', 'delivered']);
  const { message } = (await receiptOf(app, customer.key, third)).body.data;
  assert.match(message.message_deliveries[0].smtpResponse, /^suppressed: .*hard_bounce/);
  const events = (await app.request('GET', '/v1/email/events', { key: customer.key })).body.data;
  const failed = events.filter(({ event_name: name }: { event_name: string }) => name.endsWith('permanent_failure'));
  assert.equal(failed.length, 4);

  await app.request('DELETE', '/v1/email/suppressions?address=gone%40example.com', { key: customer.key });
  const fourth = await send(app, customer.key, mailTo('gone@example.com'));
  await deliverDue(deps, createPeer(willing).find);
  assert.deepEqual(await statusesOf(app, customer, fourth), ['delivered']);
});

test('what is said of the sender, of the message or for the moment suppresses nobody', async (t) => {
  const { app, customer, deps } = await worker(t);
  const refusals: Record<string, (command: string) => string> = {
    sender: (command) => (command.startsWith('MAIL') ? '550 5.1.0 sender rejected' : '503 5.5.1 no sender'),
    data: (command) => (command === 'DATA' ? '550 no' : '250 fine'),
    message: (command) => (command === 'message' ? '550 looks like spam' : willing(command)),
    moment: (command) => (command.startsWith('RCPT') ? '450 4.1.1 greylisted' : willing(command)),
    policy: (command) => (command.startsWith('RCPT') ? '550 5.7.1 not from you' : willing(command)),
  };
  for (const [name, answerTo] of Object.entries(refusals)) {
    await send(app, customer.key, mailTo(`${name}@example.com`));
    assert.equal(await deliverDue(deps, createPeer(answerTo).find), 1, name);
    assert.deepEqual(await suppressionsOf(app, customer), [], name);
  }
});

test("by hand all mail stops, by opt-out mailings only, and never another customer's", async (t) => {
  const { app, customer, deps } = await worker(t);
  const other = await app.createCustomer();
  const body = { address: 'stopped@example.com' };
  await app.request('POST', '/v1/email/suppressions', { key: customer.key, body });
  const subscriber = { email: 'out@example.com' };
  const { id } = (await app.request('POST', '/v1/marketing/subscribers', { key: customer.key, body: { subscriber } }))
    .body.data;
  const tokens = createLinkTokens(await app.installation.vault.of(INSTALLATION));
  const link = `/t/${tokens.make({ kind: 'preferences', id, number: 0 })}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await app.request('POST', link, { raw: 'want=nothing', headers: form });
  assert.equal((await suppressionsOf(app, customer)).length, 2);
  const mine = await send(app, customer.key, mailTo('stopped@example.com', 'out@example.com'));
  const theirs = await send(app, other.key, mailTo('stopped@example.com'));
  while ((await deliverDue(deps, createPeer(willing).find)) > 0);
  assert.deepEqual(await statusesOf(app, customer, mine), ['hard bounced', 'delivered']);
  assert.deepEqual(await statusesOf(app, other, theirs), ['delivered']);
});
