import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindDestination } from '../../src/email/delivery/onward/destination.ts';
import { startApp } from '../support/app.ts';
import { createPeer, createTestEngine, createWorker, willing } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, receiptOf, send } from '../support/mail.ts';

test('a message for two domains goes to the second whole, however long after the first', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const { key } = await app.createCustomer();
  const found = Promise.withResolvers<void>();
  const [quick, slow] = [createPeer(willing), createPeer(willing)];
  const find: FindDestination = async (domain) => {
    if (domain === 'slow.example') await found.promise;
    return (domain === 'slow.example' ? slow : quick).find(domain);
  };
  const recipients = ['ann@quick.example', 'bob@slow.example'];
  const id = await send(app, key, messageTo('', { recipients, content: { 'text/plain': 'See you on Monday.' } }));
  const statuses = async () =>
    (await receiptOf(app, key, id)).body.data.message.message_deliveries.map(
      ({ status }: { status: { deliveryStatus: string } }) => status.deliveryStatus,
    );
  const engine = createTestEngine(worker, find);
  await engine.turn();
  await eventually(async () => (await statuses())[0] === 'delivered');
  found.resolve();
  await engine.settled();
  assert.deepEqual(await statuses(), ['delivered', 'delivered']);
  const bodies = [quick, slow].map(({ given }) => given.join(''));
  for (const body of bodies) assert.match(body, /See you on Monday\./);
});
