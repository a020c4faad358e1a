import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { clearForContent, connectSecurely, PATIENCE } from '../../src/email/delivery/dialogue/connect.ts';
import { stuffDots } from '../../src/email/delivery/dialogue/dots.ts';
import { sendContent } from '../../src/email/delivery/dialogue/send.ts';
import { PeerFailure } from '../../src/email/delivery/dialogue/smtp-replies.ts';
import { createFixedDestination } from '../../src/email/delivery/onward/fixed-destination.ts';
import { type Certificate, createSelfSigned } from '../../src/platform/net/self-signed.ts';

const NAME = 'mx.example.test';
const SECRET = 'the content of the message';

interface Peer {
  port: number;
  /** Everything that came in clear. */
  clear(): string;
  /** Everything that came under TLS. */
  secured(): string;
}

interface Script {
  certificate?: Certificate;
  greeting?: string;
  hello?: string;
  startTls?: string;
  tls?: object;
  /** Whether it says that it has the message once it may come, and then reads no more. */
  answersAhead?: true;
  /** How it hangs up when the first of the message has come. */
  breaksOff?: 'abruptly' | 'orderly';
  /** Answers a line that came under TLS. */
  answer?(line: string): string;
}

/** A mail server that does what its script says. */
async function startPeer(t: TestContext, script: Script): Promise<Peer> {
  let clear = '';
  let secured = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(script.greeting ?? `220 ${NAME} ESMTP\r\n`);
    const listen = (chunk: Buffer) => {
      clear += chunk;
      if (String(chunk).endsWith('STARTTLS\r\n')) {
        socket.off('data', listen);
        socket.write(script.startTls ?? '220 go ahead\r\n');
        if (script.certificate !== undefined) secure(socket);
        else socket.on('data', (more) => (clear += more));
      } else if (String(chunk).startsWith('EHLO'))
        socket.write(script.hello ?? `250-${NAME}\r\n250-PIPELINING\r\n250 STARTTLS\r\n`);
    };
    socket.on('data', listen);
  });
  const secure = (socket: Socket) => {
    const channel = new TLSSocket(socket, { isServer: true, ...script.certificate, ...script.tls });
    let inData = false;
    channel.on('error', () => {});
    channel.on('data', (chunk) => {
      secured += chunk;
      if (inData && script.breaksOff === 'abruptly') socket.resetAndDestroy();
      if (inData && script.breaksOff === 'orderly') channel.end();
      for (const line of String(chunk)
        .split('\r\n')
        .filter((each) => each !== '')) {
        if (inData && line !== '.') continue;
        const reply = inData
          ? (script.answer?.('.') ?? '250 kept')
          : (script.answer?.(line) ?? (line === 'DATA' ? '354 go on' : '250 ok'));
        inData = !inData && reply.startsWith('354');
        channel.write(`${reply}\r\n`);
        if (inData && script.answersAhead === true) channel.pause().write('250 kept\r\n');
      }
    });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, clear: () => clear, secured: () => secured };
}

function targetOf({ port }: Peer, { cert }: Certificate) {
  return { host: '127.0.0.1', port, serverName: NAME, authorities: cert, heloName: 'carepost.test' };
}

async function deliver(peer: Peer, certificate: Certificate, recipients = ['ann@example.com'], text = SECRET) {
  const { channel, judgement } = await createFixedDestination(targetOf(peer, certificate), PATIENCE, 1).connect();
  const mime = Buffer.from(`Subject: x\r\n\r\n${text}\r\n.dot\r\n`);
  const content = clearForContent(channel, judgement, false);
  assert.ok(content);
  const envelope = { returnPath: 'bounces@example.org', recipients };
  const outcomes = await sendContent(content, envelope, { kind: 'content', data: stuffDots(mime) }, PATIENCE);
  const isUsable = channel.usable;
  channel.close();
  return { outcomes, isUsable, tls: { ...channel.facts.tls, ...judgement } };
}

const certificate = await createSelfSigned(NAME, new Date());

test('a message goes over TLS, its dots doubled, and nothing but EHLO and STARTTLS goes in clear', async (t) => {
  const peer = await startPeer(t, { certificate });
  const { outcomes, tls } = await deliver(peer, certificate);
  assert.deepEqual(outcomes, [{ result: 'delivered', code: 250, reply: '250 kept' }]);
  assert.deepEqual({ policy: tls.policy, verified: tls.verified }, { policy: 'pkix', verified: true });
  assert.match(tls.version, /^TLSv1\.[23]$/);
  assert.equal(peer.clear(), 'EHLO carepost.test\r\nSTARTTLS\r\n');
  assert.match(peer.secured(), /\r\n\.\.dot\r\n\.\r\n/);
});

function answerEach(line: string): string {
  if (line === '.') return '250 kept';
  if (line.includes('full@')) return '452 4.2.2 full';
  if (line.includes('gone@')) return '550 5.1.1 gone';
  return line === 'DATA' ? '354 go on' : '250 ok';
}

test('each recipient gets an answer of its own', async (t) => {
  const peer = await startPeer(t, { certificate, answer: answerEach });
  const { outcomes } = await deliver(peer, certificate, ['ann@example.com', 'full@example.com', 'gone@example.com']);
  assert.deepEqual(outcomes, [
    { result: 'delivered', code: 250, reply: '250 kept' },
    { result: 'deferred', code: 452, reply: '452 4.2.2 full', toRcpt: true },
    { result: 'refused', code: 550, reply: '550 5.1.1 gone', toRcpt: true },
  ]);
});

function answerLoosely(line: string): string {
  if (line.startsWith('EHLO')) return '250 ok';
  if (line === 'DATA') return '354 go on';
  return line === '.' ? '200 kept' : '252 will try';
}

test('the first digit decides whether a peer has taken an address and a message', async (t) => {
  const peer = await startPeer(t, { certificate, answer: answerLoosely });
  const { outcomes } = await deliver(peer, certificate);
  assert.deepEqual(outcomes, [{ result: 'delivered', code: 200, reply: '200 kept' }]);
});

test('a connection that is given up before it is there is over', async (t) => {
  const peer = await startPeer(t, { certificate });
  const ending = new AbortController();
  const reaching = connectSecurely(targetOf(peer, certificate), PATIENCE, ending.signal);
  ending.abort();
  await assert.rejects(reaching, { message: 'the server did not answer in time' });
});

test('a peer that answers before it has the message is not believed, and gets nothing more', async (t) => {
  const peer = await startPeer(t, { certificate, answersAhead: true });
  const { outcomes, isUsable } = await deliver(peer, certificate, ['ann@example.com'], 'x'.repeat(32 * 2 ** 20));
  const reply = 'The server answered before it had the whole message';
  assert.deepEqual([outcomes, isUsable], [[{ result: 'deferred', code: null, reply }], false]);
});

function askAndAnswer(line: string): string {
  return line === 'DATA' ? '354 go on\r\n250 kept' : '250 ok';
}

test('a peer that says it has the message in the same breath as it asks for it gets nothing of it', async (t) => {
  const peer = await startPeer(t, { certificate, answer: askAndAnswer });
  const { outcomes, isUsable } = await deliver(peer, certificate);
  assert.deepEqual([outcomes[0]?.result, isUsable], ['deferred', false]);
  assert.ok(!peer.secured().includes(SECRET));
});

for (const breaksOff of ['abruptly', 'orderly'] as const) {
  test(`a peer that breaks off (${breaksOff}) in the middle of a message has not taken it, and never gets its end`, async (t) => {
    const peer = await startPeer(t, { certificate, breaksOff });
    const { outcomes } = await deliver(peer, certificate, ['ann@example.com'], 'x'.repeat(32 * 2 ** 20));
    const reply = 'The connection ended before the whole message had left';
    assert.deepEqual(outcomes, [{ result: 'deferred', code: null, reply }]);
    assert.doesNotMatch(peer.secured(), /\r\n\.\r\n/);
  });
}

test('a large message arrives whole, and its end once', async (t) => {
  const peer = await startPeer(t, { certificate });
  const text = 'x'.repeat(2 * 2 ** 20);
  const { outcomes } = await deliver(peer, certificate, ['ann@example.com'], text);
  assert.equal(outcomes[0]?.result, 'delivered');
  const [, given] = peer.secured().split('DATA\r\n');
  assert.ok(given?.startsWith(`Subject: x\r\n\r\n${text}\r\n..dot\r\n.\r\n`));
});

const wrongName = await createSelfSigned('other.example.test', new Date());
const stranger = await createSelfSigned(NAME, new Date());
const expired = await createSelfSigned(NAME, new Date('2000-01-01'));

const hostile: [string, Script, Certificate][] = [
  ['does not offer STARTTLS', { hello: `250-${NAME}\r\n250 PIPELINING\r\n` }, certificate],
  ['answers STARTTLS with 454', { startTls: '454 4.7.0 not now\r\n' }, certificate],
  ['sends clear text behind the 220', { certificate, startTls: '220 go ahead\r\n250 injected\r\n' }, certificate],
  ['goes on in clear after 220', { startTls: '220 go ahead\r\n250 ok\r\n' }, certificate],
  ['shows a certificate that nobody vouches for', { certificate: stranger }, certificate],
  ['shows a certificate for another name', { certificate: wrongName }, wrongName],
  ['shows an expired certificate', { certificate: expired }, expired],
  [
    'speaks TLS 1.1 at most',
    { certificate, tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } },
    certificate,
  ],
  ['speaks no SMTP', { greeting: 'HTTP/1.1 200 OK\r\n\r\n' }, certificate],
  ['sends an endless line', { greeting: '2'.repeat(10_000) }, certificate],
  ['sends an endless reply', { greeting: '220-more\r\n'.repeat(1_000) }, certificate],
  ['greets with 554', { greeting: '554 no\r\n' }, certificate],
];

for (const [what, script, trusted] of hostile) {
  test(`a peer that ${what} gets not a byte of an envelope or a message`, async (t) => {
    const peer = await startPeer(t, script);
    await assert.rejects(deliver(peer, trusted), PeerFailure);
    for (const heard of [peer.clear(), peer.secured()]) {
      assert.doesNotMatch(heard, /MAIL FROM|RCPT TO|DATA/);
      assert.ok(!heard.includes(SECRET));
    }
  });
}
