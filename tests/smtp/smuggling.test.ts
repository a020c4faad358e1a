import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, connectTo } from '../support/dialogue.ts';
import { type Door, MESSAGE, sendData, startDoor } from './submission-server.ts';

/** Everything that some server has taken for the end of a message (smtpsmug and the CVEs of 2023). */
const ENDS = [
  '\n.\n',
  '\n.\r',
  '\n.\r\n',
  '\r.\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r\n.\rx',
  '\r\n.\r\0\n',
  '\r\n.\0\r\n',
  '\r\n\0.\r\n',
  '\r\r\n.\r\r\n',
  '\n\n.\r\n',
  '\r\n.\r\r\n',
];

const SMUGGLED =
  'MAIL FROM:<evil@sender.test>\r\nRCPT TO:<victim@example.com>\r\nDATA\r\nFrom: evil@sender.test\r\n\r\nx';

const WAYS: Record<string, (client: Client, text: string) => void> = {
  'in one packet': (client, text) => client.send(Buffer.from(text, 'latin1')),
  'split at every byte': (client, text) => {
    for (const byte of Buffer.from(text, 'latin1')) client.send(Buffer.of(byte));
  },
};

async function smuggleInData(door: Door, send: (client: Client, text: string) => void): Promise<void> {
  const client = await door.signedIn();
  for (const end of ENDS) {
    await client.play('C: MAIL FROM:<a@sender.test>\nS: 250\nC: RCPT TO:<b@example.com>\nS: 250\nC: DATA\nS: 354');
    const before = client.received().length;
    send(client, `${MESSAGE}text${end}${SMUGGLED}\r\n.\r\nNOOP\r\n`);
    await client.play('S: 554 5.5.2\nS: 250 2.0.0 OK');
    const replies = client.received().slice(before).split('\r\n');
    assert.equal(replies.length, 3, `${JSON.stringify(end)}: ${replies.join(' | ')}`);
  }
  assert.equal(door.accepted.length, 0);
  assert.match(await sendData(client, MESSAGE), /^250 2\.0\.0/);
}

async function smuggleBeforeAuth(door: Door, send: (client: Client, text: string) => void): Promise<void> {
  for (const secure of [false, true]) {
    for (const end of ENDS) {
      const client = await connectTo(secure ? door.tlsPort : door.port, { secure });
      await client.play('S: 220\nC: EHLO client.test\nS: 250-');
      send(client, `NOOP text${end}${SMUGGLED}\r\n.\r\n`);
      const replies: string[] = [];
      for (let reply = await client.reply(); reply !== null; reply = await client.reply()) replies.push(reply);
      assert.match(replies.at(-1) ?? '', /^554 5\.5\.2/, `${JSON.stringify(end)}: ${replies.join('')}`);
      assert.ok(!replies.some((reply) => /^(250 2\.1|354)/.test(reply)), replies.join(''));
    }
  }
  assert.equal(door.accepted.length, 0);
}

for (const [way, send] of Object.entries(WAYS)) {
  test(`nothing but CRLF.CRLF ends a message, ${way}`, async (t) => smuggleInData(await startDoor(t), send));
  test(`before AUTH a line that does not end with CRLF ends the connection, ${way}`, async (t) =>
    smuggleBeforeAuth(await startDoor(t), send));
}

test('a lone CR, LF or NUL anywhere in a message refuses it, and a dot after a lone LF stays a dot', async (t) => {
  const door = await startDoor(t);
  const client = await door.signedIn();
  for (const bad of ['a\rb', 'a\nb', 'a\0b', '\n..\r\n', 'a\n', '\r', '\0']) {
    assert.match(await sendData(client, `${MESSAGE}${bad}\r\n`), /^554 5\.5\.2/, JSON.stringify(bad));
    assert.match(await sendData(client, `X-A: ${bad}\r\n${MESSAGE}`), /^554 5\.5\.2/, JSON.stringify(bad));
  }
  assert.equal(door.accepted.length, 0);
});

test('a lone CR, LF or NUL in a command ends the connection and nothing of it is carried out', async (t) => {
  const door = await startDoor(t);
  for (const line of ['NOOP\n', 'NO\rOP\r\n', 'NOOP \0\r\n', 'RSET\nQUIT\r\n', 'NOOP\r\r\n', '\nNOOP\r\n']) {
    const client = await door.signedIn();
    client.send(line);
    await client.play('S: 554 5.5.2\nEND');
  }
});

test('what follows STARTTLS in the clear is never carried out under TLS', async (t) => {
  const door = await startDoor(t);
  for (const injected of ['EHLO evil.test\r\n', 'RSET\r\n', 'x', '\r\n', 'MAIL FROM:<a@sender.test>\r\n'.repeat(10)]) {
    const client = await connectTo(door.port);
    await client.play('S: 220\nC: EHLO client.test\nS: 250-');
    client.send(`STARTTLS\r\n${injected}`);
    await client.play('S: 421 4.7.0\nEND');
  }
});

test('what is slipped in after the reply to STARTTLS breaks the handshake instead of being carried out', async (t) => {
  const door = await startDoor(t);
  const client = await connectTo(door.port);
  await client.play('S: 220\nC: EHLO client.test\nS: 250-\nC: STARTTLS\nS: 220');
  client.send('NOOP\r\nNOOP\r\n');
  await client.play('END');
});

test('half a line in front of STARTTLS is gone after it, and so is the greeting', async (t) => {
  const door = await startDoor(t);
  const client = await connectTo(door.port);
  await client.play('S: 220\nC: EHLO client.test\nS: 250-\nC: STARTTLS\nS: 220\nTLS\nC: AUTH LOGIN\nS: 503 5.5.1');
});
