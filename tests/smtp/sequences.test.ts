import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revokeApiKey } from '../../src/accounts/index.ts';
import { connectTo } from '../support/dialogue.ts';
import { MESSAGE, plain, sendData, startDoor } from './submission-server.ts';

test('a message goes in by STARTTLS and by TLS from the start, and is in the database when the reply names it', async (t) => {
  const door = await startDoor(t);
  const client = await connectTo(door.port);
  await client.play(`
    S: 220 smtp.example.test ESMTP
    C: EHLO client.test
    S: 250-smtp.example.test
    C: STARTTLS
    S: 220 2.0.0
    TLS
    C: EHLO client.test
    S: 250-smtp.example.test
    C: AUTH PLAIN ${plain('apikey', door.customer.key)}
    S: 235 2.7.0
    C: MAIL FROM:<a@sender.test> SIZE=100 BODY=8BITMIME
    S: 250 2.1.0
    C: RCPT TO:<b@example.com>
    S: 250 2.1.5
    C: DATA
    S: 354
    C: From: a@sender.test
    C: Subject: hello
    C:${' '}
    C: ..a line with a dot
    C: .`);
  const reply = (await client.reply()) ?? '';
  const id = /^250 2\.0\.0 queued as ([0-9a-f-]{36})\r\n$/.exec(reply)?.[1] as string;
  assert.ok(id, reply);
  assert.equal(door.accepted[0]?.text, '.a line with a dot\r\n');
  const rows = await door.app.installation.db.tenant([door.customer.id], (tx) =>
    tx.selectFrom('messages').select(['id', 'key_id']).where('customer_id', '=', door.customer.id).execute(),
  );
  assert.deepEqual(rows, [{ id, key_id: door.customer.keyId }]);
  await client.play('C: QUIT\nS: 221 2.0.0\nEND');

  assert.match(await sendData(await door.signedIn(), MESSAGE), /^250 2\.0\.0 queued as /);
});

test('in clear nothing but STARTTLS is offered and neither AUTH nor MAIL is taken', async (t) => {
  const door = await startDoor(t);
  const client = await connectTo(door.port);
  await client.play('S: 220\nC: EHLO client.test');
  assert.equal(
    await client.reply(),
    '250-smtp.example.test\r\n250-PIPELINING\r\n250-SIZE 104857600\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 STARTTLS\r\n',
  );
  await client.play(`
    C: AUTH PLAIN ${plain('apikey', door.customer.key)}
    S: 538 5.7.11
    C: AUTH LOGIN
    S: 538 5.7.11
    C: MAIL FROM:<a@sender.test>
    S: 530 5.7.0 Must issue a STARTTLS command first
    C: RCPT TO:<b@example.com>
    S: 503 5.5.1
    C: STARTTLS now
    S: 501 5.5.4
    C: QUIT
    S: 221 2.0.0
    END`);
});

test('under TLS the offers change, and mail needs a key', async (t) => {
  const door = await startDoor(t);
  const client = await connectTo(door.tlsPort, { secure: true });
  await client.play('S: 220\nC: AUTH PLAIN\nS: 503 5.5.1\nC: MAIL FROM:<>\nS: 503 5.5.1\nC: EHLO client.test');
  assert.equal(
    await client.reply(),
    '250-smtp.example.test\r\n250-PIPELINING\r\n250-SIZE 104857600\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 AUTH PLAIN LOGIN\r\n',
  );
  await client.play(`
    C: STARTTLS
    S: 503 5.5.1
    C: MAIL FROM:<a@sender.test>
    S: 530 5.7.0 Authentication required
    C: DATA
    S: 503 5.5.1
    C: HELO client.test
    S: 250 smtp.example.test
    C: MAIL FROM:<a@sender.test>
    S: 530 5.7.0`);
});

test('commands out of order and arguments out of form are refused one by one', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  await client.play(`
    C: AUTH PLAIN ${plain('apikey', door.customer.key)}
    S: 503 5.5.1
    C: RCPT TO:<b@example.com>
    S: 503 5.5.1
    C: MAIL FROM:<a@sender.test> RET=HDRS
    S: 555 5.5.4
    C: MAIL TO:<a@sender.test>
    S: 501 5.5.4
    C: MAIL FROM:<a@sender.test> SIZE=104857601
    S: 552 5.3.4
    C: MAIL FROM:<"a b"@sender.test>
    S: 501 5.5.4
    C: MAIL FROM:<@route.test:a@sender.test>
    S: 553 5.1.7
    C: mail from: <> SIZE=104857600 AUTH=<>
    S: 250 2.1.0
    C: MAIL FROM:<a@sender.test>
    S: 503 5.5.1
    C: DATA
    S: 554 5.5.1 No valid recipients
    C: RCPT TO:<>
    S: 553 5.1.3
    C: RCPT TO:<b>
    S: 553 5.1.3
    C: RCPT TO:<@route.test:b@example.com>
    S: 553 5.1.3
    C: RCPT TO:<b@[127.0.0.1]>
    S: 553 5.1.3
    C: RCPT TO:<b@example.com> NOTIFY=NEVER
    S: 555 5.5.4
    C: RCPT TO:<b@example.com>
    S: 250 2.1.5
    C: AUTH LOGIN
    S: 503 5.5.1
    C: RSET
    S: 250 2.0.0
    C: DATA
    S: 503 5.5.1
    C: QUIT
    S: 221 2.0.0
    END`);
});

test('harmless commands are answered, those that would tell something are not, and chunks are not offered', async (t) => {
  const door = await startDoor(t);
  const client = await door.greeted();
  await client.play(`
    C: NOOP whatever
    S: 250 2.0.0
    C: RSET
    S: 250 2.0.0
    C: HELP
    S: 214 2.0.0
    C: VRFY postmaster
    S: 252 2.0.0
    C: VRFY nobody-at-all
    S: 252 2.0.0
    C: EXPN staff
    S: 252 2.0.0
    C: BDAT 5 LAST
    S: 502 5.5.1
    C: constructor
    S: 500 5.5.1
    C: EHLO
    S: 501 5.5.4`);
});

test('an address beyond ASCII is refused, as SMTPUTF8 is not offered', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  client.send(Buffer.from('MAIL FROM:<ä@sender.test>\r\n'));
  await client.play('S: 553 5.6.7\nC: MAIL FROM:<a@sender.test>\nS: 250');
  client.send(Buffer.from('RCPT TO:<b@bücher.example>\r\n'));
  await client.play('S: 553 5.6.7');
});

test('after ten bad commands the connection ends, and a browser is sent away at once', async (t) => {
  const door = await startDoor(t);
  const client = await door.greeted();
  for (let count = 0; count < 10; count += 1) await client.play('C: FOO\nS: 500 5.5.1');
  await client.play('C: FOO\nS: 421 4.7.0\nEND');
  for (const verb of ['GET / HTTP/1.1', 'POST /v1/messages HTTP/1.1', 'CONNECT a:25 HTTP/1.1', 'PRI * HTTP/2.0']) {
    const browser = await connectTo(door.port);
    await browser.play(`S: 220\nC: ${verb}\nS: 421 4.7.0\nEND`);
  }
});

test('a hundred recipients are taken, the next is put off, and one named twice counts once', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  await client.play('C: MAIL FROM:<a@sender.test>\nS: 250');
  for (let count = 0; count < 100; count += 1) await client.play(`C: RCPT TO:<b${count}@example.com>\nS: 250 2.1.5`);
  await client.play('C: RCPT TO:<b100@example.com>\nS: 452 4.5.3\nC: RCPT TO:<B1@example.com>\nS: 250 2.1.5');
  await client.play('C: DATA\nS: 354');
  client.send(`${MESSAGE}.\r\n`);
  await client.play('S: 250 2.0.0 queued as ');
  assert.equal(door.accepted[0]?.recipients.length, 100);
});

test('commands that come together are answered in order, two messages in a row included', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  const envelope = 'MAIL FROM:<a@sender.test>\r\nRCPT TO:<b@example.com>\r\nRCPT TO:<bad>\r\nDATA\r\n';
  client.send(`${envelope}${MESSAGE}.\r\n${envelope}${MESSAGE}.\r\nQUIT\r\n`);
  const once = 'S: 250 2.1.0\nS: 250 2.1.5\nS: 553 5.1.3\nS: 354\nS: 250 2.0.0 queued as';
  await client.play(`${once}\n${once}\nS: 221\nEND`);
  assert.equal(door.accepted.length, 2);
});

test('without an agreement MAIL is refused with the reason, and a revoked key ends the session', async (t) => {
  const door = await startDoor(t);
  const bare = await door.app.createCustomer({ agreement: false });
  const unsigned = await door.signedIn(bare.key);
  await unsigned.play('C: MAIL FROM:<a@sender.test>\nS: 550 5.7.1 No business associate agreement');

  const { id, key } = await door.app.createKey(door.customer, ['email']);
  const client = await door.signedIn(key);
  await revokeApiKey(door.app.installation, door.app.act(door.customer.id, 'key.revoked'), id);
  await door.keys.refresh();
  await client.play('C: NOOP\nS: 250\nC: MAIL FROM:<a@sender.test>\nS: 535 5.7.8\nEND');
});

test('a key that is revoked while its message comes has handed in nothing', async (t) => {
  const door = await startDoor(t);
  const { id, key } = await door.app.createKey(door.customer, ['email']);
  const client = await door.signedIn(key);
  await client.play('C: MAIL FROM:<a@sender.test>\nS: 250\nC: RCPT TO:<b@example.com>\nS: 250\nC: DATA\nS: 354');
  await revokeApiKey(door.app.installation, door.app.act(door.customer.id, 'key.revoked'), id);
  await door.keys.refresh();
  client.send(`${MESSAGE}.\r\n`);
  await client.play('S: 535 5.7.8\nEND');
  assert.equal(door.accepted.length, 0);
});
