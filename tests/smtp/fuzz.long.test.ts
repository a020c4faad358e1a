import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Client, connectTo } from '../support/dialogue.ts';
import { base64, type Door, MESSAGE, plain, sendData, startDoor } from './submission-server.ts';

const COMMANDS =
  `EHLO a.test|HELO a|MAIL FROM:<a@b.test>|MAIL FROM:<|RCPT TO:<b@example.com>|RCPT TO:|DATA|RSET|NOOP|QUIT
  |AUTH PLAIN|AUTH LOGIN|AUTH PLAIN ${base64('\0apikey\0x')}|*|STARTTLS|BDAT 1|SIZE=9|From: a@b.test|--b|é|__proto__
  |toString|Content-Type: multipart/mixed; boundary=b| |:|<|>|=|.|..`.split(/\n? *\|/);
const BREAKS = ['\0', '\t', '\r', '\n', '\r\n', '\r\n', '\r\n', '\r\n.\r\n', 'x'.repeat(3_000), MESSAGE];
const word = fc.constantFrom(...COMMANDS, ...BREAKS);
const noise = fc.oneof(
  fc.array(word, { maxLength: 25 }).map((words) => Buffer.from(words.join(''), 'latin1')),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
);

/** Sends noise and waits until the server has hung up, which the end of the stream makes it do. */
async function throwAt(port: number, pieces: Buffer[]): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  for (const piece of pieces) socket.write(piece);
  socket.end().resume();
  await new Promise((resolve) => socket.once('close', resolve));
}

async function stillAnswers(door: Door): Promise<void> {
  const client = await connectTo(door.port);
  await client.play('S: 220\nC: EHLO client.test\nS: 250-\nC: QUIT\nS: 221\nEND');
}

test('no bytes in clear or in place of a handshake harm the server', async (t) => {
  const door = await startDoor(t);
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { maxLength: 4 }), async (pieces) => {
      await throwAt(door.port, pieces);
      await throwAt(door.tlsPort, pieces);
    }),
    { numRuns: 100 },
  );
  await stillAnswers(door);
  assert.equal(door.accepted.length, 0);
  assert.doesNotMatch(door.app.logged(), /SMTP session failed|submission failed/);
});

test('no lines of a client that has signed in harm the server', async (t) => {
  const door = await startDoor(t, { pace: { lingerMs: 50 } });
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { maxLength: 6 }), fc.boolean(), async (pieces, inData) => {
      const client: Client = await door.signedIn();
      if (inData) client.send('MAIL FROM:<a@sender.test>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n');
      for (const piece of pieces) client.send(piece);
      client.send('\r\n.\r\n\r\nQUIT\r\n');
      for (let reply = await client.reply(); reply !== null; reply = await client.reply())
        assert.match(reply, /^(?:[2345]\d\d[ -].*\r\n)+$/);
    }),
    { numRuns: 100 },
  );
  await stillAnswers(door);
  assert.doesNotMatch(door.app.logged(), /SMTP session failed|submission failed/);
});

test('messages that are built to cost more than they weigh are refused, and others go on meanwhile', async (t) => {
  const door = await startDoor(t);
  const [client, other] = [await door.signedIn(), await door.signedIn()];
  const multipart = 'From: a@sender.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
  const deep = Array.from(
    { length: 40 },
    (_, level) => `--b${level || ''}\r\nContent-Type: multipart/mixed; boundary=b${level + 1}\r\n\r\n`,
  );
  const bombs = {
    'too many parts': multipart + '--b\r\n'.repeat(10_001),
    'a few thousand parts': `${multipart}${'--b\r\nContent-Disposition: attachment\r\n\r\n\r\n'.repeat(5_000)}--b--\r\n`,
    'parts in parts': multipart + deep.join(''),
    'too many headers': `${'X-A: b\r\n'.repeat(1_000)}${MESSAGE}`,
    'one endless header': `X-A: b\r\n${` ${'c'.repeat(900)}\r\n`.repeat(400)}${MESSAGE}`,
  };
  for (const [name, data] of Object.entries(bombs)) {
    const reply = sendData(client, data);
    assert.match(await sendData(other, MESSAGE), /^250/);
    assert.match(await reply, /^554 5\.6\.0/, name);
  }
  assert.match(await sendData(client, MESSAGE), /^250/);
});

test('a client that goes away in the middle leaves nothing behind', async (t) => {
  const door = await startDoor(t);
  for (const lines of [
    '',
    'MAIL FROM:<>\r\n',
    'MAIL FROM:<>\r\nRCPT TO:<b@example.com>\r\nDATA\r\nFrom: a@b.test\r\n',
  ]) {
    const client = await door.signedIn();
    client.send(lines);
    client.close();
  }
  const client = await door.greeted();
  client.send(`AUTH PLAIN ${plain('apikey', 'wrong')}\r\n`);
  client.close();
  await stillAnswers(door);
  assert.equal(door.accepted.length, 0);
});
