import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepSunkMessage } from '../../src/email/sandbox/keep.ts';
import { startApp } from '../support/app.ts';
import { createWorker } from '../support/delivery.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

test('of a large message that comes to the sandbox twice one copy is kept, and no file that nothing leads to', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const { id: customerId, key } = await app.createCustomer();
  const messageId = await send(app, key, messageTo('ann@example.com'));
  const mime = `Message-ID: <${messageId}@example.org>\r\nSubject: Your visit\r\n\r\n${'See you.\r\n'.repeat(40_000)}`;
  const sunk = {
    mime: Buffer.from(mime),
    recipients: ['ann@example.com'],
    tlsVersion: 'TLSv1.3',
    tlsCipher: 'TLS_AES_256_GCM_SHA384',
  };
  await keepSunkMessage(worker, sunk);
  await keepSunkMessage(worker, sunk);
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `select b.id, s.message_id from blobs b left join sandbox_messages s on s.blob_id = b.id where b.customer_id = $1`,
      [customerId],
    ),
  );
  assert.deepEqual(
    rows.map((row) => row.message_id),
    [messageId],
  );
});
