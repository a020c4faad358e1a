import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type Client, connectTo } from '../support/dialogue.ts';
import { eventually } from '../support/eventually.ts';
import { MESSAGE, sendData, startDoor } from './submission-server.ts';

const LARGEST = 104_857_600;
const acceptAnything = async () => [{ sourceTrackingId: 'an-id', customHeaders: {}, data: 'Service OK' as const }];

const noop = (length: number) => `NOOP ${'x'.repeat(length - 5)}`;

test('a command takes 2048 octets and an answer of AUTH 12288; longer ones are refused and the next is heard', async (t) => {
  const door = await startDoor(t);
  const client = await door.greeted();
  await client.play(`C: ${noop(2_048)}\nS: 250\nC: ${noop(2_049)}\nS: 500 5.5.2\nC: ${noop(100_000)}\nS: 500 5.5.2`);
  await client.play(`C: AUTH PLAIN ${'A'.repeat(12_000)}\nS: 535 5.7.8`);
  await client.play(`C: AUTH LOGIN\nS: 334\nC: ${'A'.repeat(12_284)}\nS: 334\nC: ${'A'.repeat(12_284)}\nS: 535`);
  await client.play(`C: AUTH LOGIN\nS: 334\nC: ${'A'.repeat(12_292)}\nS: 500 5.5.6\nC: NOOP\nS: 250`);
});

test('a line of a message takes 998 octets; a longer one refuses the message after it has been read', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  assert.match(await sendData(client, `${MESSAGE}${'x'.repeat(998)}\r\n`), /^250/);
  assert.match(await sendData(client, `${MESSAGE}${'x'.repeat(999)}\r\n${'y'.repeat(100_000)}\r\n`), /^554 5\.6\.0/);
  assert.match(await sendData(client, MESSAGE), /^250/);
  assert.equal(door.accepted.length, 2);
});

test('a message takes 104857600 octets; one more and it is refused after it has been read', async (t) => {
  const door = await startDoor(t, { acceptMessages: acceptAnything });
  const client = await door.signedIn();
  const line = `${'=41'.repeat(332)}AA\r\n`;
  const parts = ['Content-Type: application/octet-stream; name=a', 'Content-Transfer-Encoding: quoted-printable'];
  const head = Buffer.from(`From: a@sender.test\r\n${parts.join('\r\n')}\r\n\r\n`);
  for (const [size, reply] of [
    [LARGEST, /^250 2\.0\.0 queued as an-id/],
    [LARGEST + 1, /^552 5\.3\.4/],
  ] as const) {
    const body = Buffer.alloc(size - head.length, line);
    body.write('\r\n', body.length - 2);
    if (body.at(-3) === 13) body.write('x', body.length - 3);
    if (body.at(-3) === 10) body.write('xx', body.length - 4);
    assert.match(await sendData(client, Buffer.concat([head, body])), reply);
  }
  await client.play('C: NOOP\nS: 250');
});

test('one network has fifty connections, and the next one is heard when one of them has ended', async (t) => {
  const door = await startDoor(t);
  const clients: Client[] = [];
  for (let count = 0; count < 50; count += 1) {
    const client = await connectTo(door.port);
    clients.push(client);
    await client.play('S: 220');
  }
  const late = await connectTo(door.port);
  await late.play('S: 421 4.7.0 Too many connections\nEND');
  await clients[0]?.play('C: QUIT\nS: 221\nEND');
  await eventually(async () => {
    const next = await connectTo(door.port);
    clients.push(next);
    return (await next.reply())?.startsWith('220') === true;
  });
  for (const client of clients) client.close();
});

test('a key has the same limit here as over HTTP', async (t) => {
  const door = await startDoor(t, { limits: { key: { count: 2, windowSeconds: 60 } } });
  const client = await door.signedIn();
  assert.match(await sendData(client, MESSAGE), /^250/);
  assert.match(await sendData(client, MESSAGE), /^250/);
  assert.match(await sendData(client, MESSAGE), /^450 4\.7\.1 Too many messages, try again in \d+ seconds/);
  door.clock.advance(60_000);
  assert.match(await sendData(client, MESSAGE), /^250/);
});

test('while the disk is nearly full messages are put off', async (t) => {
  let free = 1_000;
  const door = await startDoor(t, { freeBytes: async () => free });
  const client = await door.signedIn();
  await client.play('C: MAIL FROM:<a@sender.test>\nS: 250\nC: RCPT TO:<b@example.com>\nS: 250\nC: DATA\nS: 354');
  free = 0;
  await door.backpressure.look();
  client.send(`${MESSAGE}.\r\n`);
  await client.play('S: 452 4.3.1\nC: MAIL FROM:<a@sender.test>\nS: 452 4.3.1');
  free = 1_000;
  await door.backpressure.look();
  assert.match(await sendData(client, MESSAGE), /^250/);
});

test('whoever is silent, or gives a command by the byte, is cut off', async (t) => {
  const door = await startDoor(t, { pace: { commandMs: 300 } });
  const silent = await connectTo(door.port);
  await silent.play('S: 220\nS: 421 4.4.2\nEND');

  const dripping = await connectTo(door.port);
  await dripping.play('S: 220');
  const drip = setInterval(() => dripping.send('N'), 5);
  await dripping.play('S: 421 4.4.2\nEND');
  clearInterval(drip);
});

test('whoever gives a message by the byte is cut off', async (t) => {
  const door = await startDoor(t, { pace: { dataMs: 300 } });
  const client = await door.signedIn();
  await client.play('C: MAIL FROM:<a@sender.test>\nS: 250\nC: RCPT TO:<b@example.com>\nS: 250\nC: DATA\nS: 354');
  const trickle = setInterval(() => client.send('x'), 5);
  await client.play('S: 421 4.4.2\nEND');
  clearInterval(trickle);
  assert.equal(door.accepted.length, 0);
});

test('a handshake that does not come to an end is given up', async (t) => {
  const door = await startDoor(t, { pace: { handshakeMs: 60 } });
  const socket = connect(door.tlsPort, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve).resume());
  const client = await connectTo(door.port);
  await client.play('S: 220\nC: STARTTLS\nS: 220\nEND');
  await door.signedIn();
});

test('what the door cannot do at the moment is put off, and the log holds the id but nothing of the message', async (t) => {
  let failure: Error = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
  const door = await startDoor(t, {
    acceptMessages: async () => {
      throw failure;
    },
  });
  const client = await door.signedIn();
  assert.match(await sendData(client, MESSAGE), /^451 4\.3\.0/);
  failure = new TypeError('secret value b@example.com');
  assert.match(await sendData(client, MESSAGE), /^451 4\.3\.0/);
  const failures = door.app.logged().match(/.*submission failed.*/g) ?? [];
  assert.equal(failures.length, 2);
  for (const line of failures) assert.match(line, /"requestId":"[0-9a-f-]{36}"/);
  assert.doesNotMatch(door.app.logged(), /b@example\.com|a@sender\.test|secret value|MAIL FROM|hello/);
});

test('stopping lets a message come to its end, and tells the others', async (t) => {
  const door = await startDoor(t);
  const sending = await door.signedIn();
  const idle = await door.signedIn();
  await sending.play('C: MAIL FROM:<a@sender.test>\nS: 250\nC: RCPT TO:<b@example.com>\nS: 250\nC: DATA\nS: 354');
  sending.send(MESSAGE);
  const stopped = door.stop();
  await idle.play('S: 421 4.3.2\nEND');
  await assert.rejects(connectTo(door.port));
  sending.send('.\r\n');
  await sending.play('S: 250 2.0.0 queued as\nS: 421 4.3.2\nEND');
  await stopped;
});
