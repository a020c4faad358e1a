import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { type BounceHandlers, createLinkTokens, type News, returnPathOf, startBounces } from '../../src/email/index.ts';
import { createLog } from '../../src/platform/log.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import type { CustomerVault } from '../../src/platform/vault/vault.ts';
import { createMovableClock } from '../support/clock.ts';
import { type Client, connectTo } from '../support/dialogue.ts';
import { eventually } from '../support/eventually.ts';
import { startReturnDoor } from './returned-mail.ts';
import * as samples from './samples.ts';

const LARGEST = 10 * 2 ** 20;
const DOMAIN = 'returns.example.org';
const ID = '019a0000-0000-7000-8000-000000000000';
const certificate = createSelfSigned('mail.example.org', new Date());
const blindIndex = (_: string, text: string) => createHmac('sha256', 'key').update(text).digest().subarray(0, 16);
const tokens = createLinkTokens({ blindIndex } as unknown as CustomerVault);
const PATH = returnPathOf(tokens, { kind: 'bounce', id: ID }, DOMAIN);

type Deps = Parameters<typeof startBounces>[0];

/** The door alone, with handlers that remember what they were told. */
async function startDoor(t: TestContext, changes: Partial<Deps> = {}) {
  const told: { id: string; news: News[] }[] = [];
  const remember = async (id: string, news: News[]) => void told.push({ id, news });
  const handlers: BounceHandlers = { bounce: remember, 'mailing-bounce': remember };
  const server = await startBounces({
    db: undefined as unknown as Deps['db'],
    tokens,
    handlers,
    certificate: { current: await certificate, endsAt: new Date(), follow: () => {}, look: async () => {} },
    host: '127.0.0.1',
    port: 0,
    name: 'mail.example.org',
    returnPathDomain: DOMAIN,
    ownNames: [DOMAIN],
    pseudonymOf: (address) => address,
    clock: createMovableClock(),
    log: createLog('silent'),
    ...changes,
  });
  const clients: Client[] = [];
  t.after(async () => {
    clients.forEach((client) => client.close());
    await server.stop();
  });
  const connect = async () => {
    const client = await connectTo(server.port);
    clients.push(client);
    return client;
  };
  const greeted = async () => {
    const client = await connect();
    await client.play('S: 220 mail.example.org ESMTP\nC: EHLO mx.example.net\nS: 250-');
    return client;
  };
  return { told, connect, greeted, stop: server.stop };
}

const OPEN = `C: MAIL FROM:<>\nS: 250 2.1.0\nC: RCPT TO:<${PATH}>\nS: 250 2.1.5\nC: DATA\nS: 354`;

test('a report is taken in clear and under TLS, which is offered and gives nothing away', async (t) => {
  const door = await startDoor(t);
  const client = await door.connect();
  await client.play('S: 220 mail.example.org ESMTP\nC: EHLO mx.example.net');
  assert.match(
    (await client.reply()) ?? '',
    /250-SIZE 10485760\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 STARTTLS\r\n/,
  );
  await client.play(OPEN);
  client.send(`${samples.postfix('ann@example.com')}.\r\n`);
  await client.play('S: 250 2.0.0\nC: STARTTLS\nS: 220 2.0.0\nTLS\nC: MAIL FROM:<>\nS: 503\nC: EHLO mx.example.net');
  assert.doesNotMatch((await client.reply()) ?? '', /STARTTLS|AUTH/);
  await client.play(OPEN);
  client.send(`${samples.complaint()}.\r\n`);
  await client.play('S: 250 2.0.0\nC: STARTTLS\nS: 503\nC: AUTH PLAIN x\nS: 502\nC: QUIT\nS: 221\nEND');
  assert.deepEqual(
    door.told.map(({ id, news }) => [id, news[0]?.kind]),
    [
      [ID, 'failed'],
      [ID, 'complaint'],
    ],
  );
  const injected = await door.greeted();
  injected.send('STARTTLS\r\nNOOP\r\n');
  await injected.play('S: 421 4.7.0\nEND');
});

test('only a return path of this installation, postmaster and tlsrpt have a mailbox here', async (t) => {
  const door = await startDoor(t);
  const local = PATH.split('@')[0] as string;
  const client = await door.greeted();
  const of = (whose: Parameters<typeof returnPathOf>[1], domain: string) => returnPathOf(tokens, whose, domain);
  await client.play('C: MAIL FROM:<someone@example.net>\nS: 250');
  const good = [
    PATH,
    PATH.toUpperCase(),
    of({ kind: 'mailing-bounce', id: randomUUID() }, 'bounces.clinic.example'),
    `Postmaster@${DOMAIN}`,
    'postmaster',
    `TLSRPT@${DOMAIN}`,
  ];
  for (const address of good) await client.play(`C: RCPT TO:<${address}>\nS: 250 2.1.5`);
  const link = tokens.make({ kind: 'unsubscribe', id: ID, number: 0 });
  const bad = [
    `${local}@example.net`,
    `${local.slice(0, -1)}@${DOMAIN}`,
    `${local}a@${DOMAIN}`,
    `${local.slice(0, 20)}${local[20] === 'a' ? 'b' : 'a'}${local.slice(21)}@${DOMAIN}`,
    `${link}@${DOMAIN}`,
    `someone@${DOMAIN}`,
    'tlsrpt@bounces.clinic.example',
  ];
  for (const address of bad) await client.play(`C: RCPT TO:<${address}>\nS: 550 5.1.1`);
  await client.play('C: RCPT TO:<@a.test:b@c.test>\nS: 5\nC: RCPT TO:<>\nS: 5\nC: RCPT TO:<ä@x.test>\nS: 553');
});

test('a mail takes 100 recipients and commands come in their order', async (t) => {
  const door = await startDoor(t);
  const client = await door.connect();
  await client.play(
    'S: 220\nC: MAIL FROM:<>\nS: 503\nC: EHLO x\nS: 250-\nC: RCPT TO:<x@y.test>\nS: 503\nC: DATA\nS: 503',
  );
  await client.play('C: MAIL FROM:<>\nS: 250\nC: DATA\nS: 554 5.5.1\nC: MAIL FROM:<>\nS: 503\nC: RSET\nS: 250');
  await client.play('C: MAIL FROM:<> SIZE=1 BODY=8BITMIME\nS: 250\nC: RSET\nS: 250\nC: MAIL FROM:<> SMTPUTF8\nS: 555');
  await client.play('C: MAIL FROM:<>\nS: 250');
  for (let count = 0; count < 100; count += 1) await client.play(`C: RCPT TO:<postmaster@${DOMAIN}>\nS: 250`);
  await client.play(`C: RCPT TO:<postmaster@${DOMAIN}>\nS: 452 4.5.3`);
});

test('a report takes 10485760 octets; a larger one is refused, when it is announced or when it has come', async (t) => {
  const door = await startDoor(t);
  const client = await door.greeted();
  await client.play(
    `C: MAIL FROM:<> SIZE=${LARGEST + 1}\nS: 552 5.3.4\nC: MAIL FROM:<> SIZE=${LARGEST}\nS: 250\nC: RSET\nS: 250`,
  );
  const head = samples.postfix('ann@example.com');
  for (const [size, reply] of [
    [LARGEST, '250 2.0.0'],
    [LARGEST + 1, '552 5.3.4'],
  ] as const) {
    const body = Buffer.alloc(size - head.length, `${'x'.repeat(98)}\r\n`);
    body.fill('y', Math.floor((body.length - 2) / 100) * 100);
    body.write('\r\n', body.length - 2);
    await client.play(OPEN);
    client.send(head);
    client.send(body);
    client.send('.\r\n');
    await client.play(`S: ${reply}`);
  }
  assert.equal(door.told.length, 1);
});

test('lone CR and LF end nothing, neither in commands nor in data, and nothing is smuggled in', async (t) => {
  const door = await startDoor(t);
  for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\n\n.\r\n']) {
    const client = await door.greeted();
    await client.play(OPEN);
    client.send(`Subject: x\r\n\r\nbody${end}MAIL FROM:<>\r\nRCPT TO:<${PATH}>\r\nDATA\r\n\r\n.\r\n`);
    await client.play('S: 554 5.5.2\nC: NOOP\nS: 250');
  }
  const client = await door.greeted();
  client.send('NOOP\nNOOP\r\n');
  await client.play('S: 554 5.5.2\nEND');
  assert.equal(door.told.length, 0);
});

test('whoever is silent, slow or wrong too often is cut off', async (t) => {
  const door = await startDoor(t, { pace: { commandMs: 300, dataMs: 300 } });
  const silent = await door.connect();
  await silent.play('S: 220\nS: 421 4.4.2\nEND');
  const slow = await door.greeted();
  await slow.play(OPEN);
  const trickle = setInterval(() => slow.send('x'), 5);
  await slow.play('S: 421 4.4.2\nEND');
  clearInterval(trickle);

  const guessing = await door.greeted();
  await guessing.play('C: MAIL FROM:<>\nS: 250');
  for (let count = 0; count < 20; count += 1) await guessing.play(`C: RCPT TO:<guess${count}@${DOMAIN}>\nS: 550 5.1.1`);
  await guessing.play(`C: RCPT TO:<guess@${DOMAIN}>\nS: 421 4.7.0\nEND`);
});

test('a session takes 200 commands and has an end, however busy it is', async (t) => {
  const chatty = await (await startDoor(t)).connect();
  await chatty.play('S: 220');
  for (let count = 0; count < 200; count += 1) await chatty.play('C: NOOP\nS: 250');
  await chatty.play('C: NOOP\nS: 421 4.7.0 Too many commands\nEND');

  const steady = await (await startDoor(t, { pace: { sessionMs: 500 } })).greeted();
  await steady.play(OPEN);
  const flow = setInterval(() => steady.send(`${'x'.repeat(900)}\r\n`.repeat(20)), 5);
  t.after(() => clearInterval(flow));
  await steady.play('S: 421 4.4.2\nEND');
});

test('a network holds twenty connections, and gets the next one when one of them has ended', async (t) => {
  const door = await startDoor(t);
  const held = await Promise.all(Array.from({ length: 20 }, () => door.greeted()));
  await (await door.connect()).play('S: 421 4.7.0 Too many connections\nEND');
  await held[0]?.play('C: QUIT\nS: 221\nEND');
  await eventually(async () => (await (await door.connect()).reply())?.startsWith('220') === true);
});

test('a mail counts once for each destination, and says whether it came from nobody', async (t) => {
  const door = await startDoor(t);
  const other = returnPathOf(tokens, { kind: 'mailing-bounce', id: ID }, DOMAIN);
  for (const sender of ['', 'someone@example.net']) {
    const client = await door.greeted();
    await client.play(`C: MAIL FROM:<${sender}>\nS: 250`);
    for (const path of [PATH, PATH.toUpperCase(), other, PATH]) await client.play(`C: RCPT TO:<${path}>\nS: 250`);
    await client.play('C: DATA\nS: 354');
    client.send(`${samples.postfix('ann@example.com')}.\r\n`);
    await client.play('S: 250 2.0.0');
  }
  assert.deepEqual(
    door.told.map(({ news }) => news[0]?.fromNobody),
    [true, true, false, false],
  );
});

test('a hundred connections are held, and the next one when one of them has ended', async (t) => {
  const door = await startDoor(t, { pseudonymOf: () => randomUUID() });
  const held = await Promise.all(Array.from({ length: 100 }, () => door.greeted()));
  const late = await door.connect();
  await late.play('S: 421 4.7.0 Too many connections\nEND');
  await held[0]?.play('C: QUIT\nS: 221\nEND');
  await eventually(async () => (await (await door.connect()).reply())?.startsWith('220') === true);
});

test('while the facts cannot be stored, mail is put off, and no word of it is logged', async (t) => {
  let isAway = true;
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const bounce = async () => {
    if (isAway) throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
  };
  const door = await startDoor(t, { log, handlers: { bounce, 'mailing-bounce': bounce } });
  const client = await door.greeted();
  for (const reply of ['451 4.3.0', '250 2.0.0']) {
    await client.play(OPEN);
    client.send(`${samples.postfix('ann@example.com')}.\r\n`);
    await client.play(`S: ${reply}`);
    isAway = false;
  }
  assert.match(lines.join(''), /returned mail could not be taken/);
  assert.doesNotMatch(lines.join(''), /ann@|secret|User unknown/);
});

test('mail to postmaster is taken and dropped, with a line in the log and nothing of it', async (t) => {
  const door = await startReturnDoor(t);
  assert.match(await door.giveBack(`postmaster@${DOMAIN}`, samples.crlf('Subject: secret\n\nsecret words\n')), /^250/);
  assert.match(door.app.logged(), /mail to postmaster was dropped/);
  assert.doesNotMatch(door.app.logged(), /secret/);
});

test('whatever a client says, the door answers the next one', async (t) => {
  const door = await startDoor(t, { pace: { commandMs: 500, dataMs: 500 } });
  const words = fc.constantFrom(
    'EHLO x',
    'MAIL FROM:<>',
    `RCPT TO:<${PATH}>`,
    'DATA',
    '.',
    'RSET',
    'STARTTLS',
    'BDAT 1',
    '\0',
    'x'.repeat(3_000),
  );
  const talk = fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(talk, async (lines) => {
      const client = await door.connect();
      client.send(`${lines.join('\r\n')}\r\n`);
      client.close();
      await (await door.greeted()).play('C: NOOP\nS: 250\nC: QUIT\nS: 221');
    }),
    { numRuns: 60 },
  );
});
