import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { openEnvelope, openPlaced } from '../../src/email/submission/sealed-message.ts';
import { createPeer, createWorker, deliverDue, type Worker, willing } from '../support/delivery.ts';
import type { Client } from '../support/dialogue.ts';
import { receiptOf } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import { type Door, sendData, startDoor } from './submission-server.ts';

let door: Door;
let client: Client;
let worker: Worker;

before(async (t) => {
  door = await startDoor(t as TestContext);
  client = await door.signedIn();
  worker = await createWorker(t as TestContext, door.app);
});

/** Sends a message to one address and answers its id, and the lines that name people as they arrived. */
async function arriving(head: string, to = 'ann@example.com') {
  const reply = await sendData(client, `From: a@sender.test\r\n${head}\r\n\r\nx\r\n`, [to]);
  const id = /^250 2\.0\.0 queued as (\S+)/.exec(reply)?.[1] as string;
  assert.ok(id, reply);
  const { find, asked, given } = createPeer(willing);
  await deliverDue(worker, find);
  assert.deepEqual(asked, [to]);
  const [whole = ''] = given;
  const headers = whole.slice(0, whole.indexOf('\r\n\r\n')).replace(/\r\n[ \t]/g, ' ');
  return { id, whole, people: headers.split('\r\n').filter((line) => /^(to|cc|bcc):/i.test(line)) };
}

test('To and Cc arrive as they were sent, though others get their copies in transactions of their own', async () => {
  const head = 'To: bob@example.net, Ann <ann@example.com>\r\nCc: =?utf-8?q?C=C3=A4rl?= <carl@example.net>';
  const { id, people } = await arriving(head);
  assert.deepEqual(people, [
    'To: bob@example.net, Ann <ann@example.com>',
    'Cc: =?UTF-8?B?Q8Okcmw=?= <carl@example.net>',
  ]);
  const { body } = await receiptOf(door.app, door.customer.key, id);
  const { message_deliveries: deliveries } = body.data.message;
  assert.deepEqual(
    deliveries.map(({ recipient }: { recipient: string }) => recipient),
    ['ann@example.com'],
  );
  const logged = await door.app.request('GET', `/v1/email/message_log/${id}`, { key: door.customer.key });
  assert.deepEqual(logged.body.data.to, ['ann@example.com']);
  assert.ok(!logged.text.includes('example.net'));
});

test('a blind copy shows whom the others see, and never who gets it', async () => {
  const { people, whole } = await arriving('To: bob@example.net\r\nBcc: hidden@example.com', 'hidden@example.com');
  assert.deepEqual(people, ['To: bob@example.net']);
  assert.ok(!whole.includes('hidden'));
});

test('where nobody is shown, To says so', async () => {
  for (const head of ['To: undisclosed-recipients:;', 'Subject: none', 'Bcc: ann@example.com'])
    assert.deepEqual((await arriving(head)).people, ['To: undisclosed-recipients:;'], head);
  assert.deepEqual((await arriving('Cc: bob@example.net')).people, ['Cc: bob@example.net']);
});

test('whom a message shows is sealed with its content, and not in its envelope', async () => {
  const { id } = await arriving('To: zebra@example.net');
  const query = `select m::text as message, m.envelope, c.sealed from messages m
    join message_contents c on c.id = m.content_id where m.id = $1`;
  const { message, envelope, sealed } = await asOwner(
    door.app,
    async (owner) => (await owner.query(query, [id])).rows[0],
  );
  for (const text of [message, sealed.toString('latin1')]) assert.ok(!text.includes('zebra'));
  const keys = await door.app.installation.vault.of(door.customer.id);
  assert.deepEqual(openPlaced(keys, id, sealed).shown, [{ kind: 'to', name: null, address: 'zebra@example.net' }]);
  assert.ok(!JSON.stringify(openEnvelope(keys, id, envelope)).includes('zebra'));
});
