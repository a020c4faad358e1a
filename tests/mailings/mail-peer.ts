import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { SMTPServer } from 'smtp-server';
import type { Target } from '../../src/email/index.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';

const NAME = 'mx.example.test';

/** What a peer does with a recipient: takes the mail, at once or later, answers with a code, or breaks off once it has it. */
export type Answer = 'take' | 'break off' | { takeAfter: Promise<void> } | { code: number; text: string };

export interface Received {
  /** Where it would go back to. */
  returnPath: string;
  recipient: string;
  mime: string;
}

export interface MailPeer {
  target: Target;
  received: Received[];
  /** How it treats a recipient from now on. */
  answerWith(answer: (recipient: string) => Answer): void;
}

function take(_recipient: string): Answer {
  return 'take';
}

/** A mail server over TLS that keeps what it takes and does to the rest what a test says. */
export async function startMailPeer(t: TestContext): Promise<MailPeer> {
  const certificate = await createSelfSigned(NAME, new Date());
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let answerTo = take;
  const server = new SMTPServer({
    ...certificate,
    name: NAME,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    closeTimeout: 50,
    onRcptTo({ address }, _session, done) {
      const answer = answerTo(address);
      if (typeof answer === 'string' || 'takeAfter' in answer) return done();
      return done(Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const recipient = session.envelope.rcptTo[0]?.address ?? '';
        if (answerTo(recipient) === 'break off') {
          for (const socket of sockets) socket.destroy();
          return;
        }
        const { mailFrom } = session.envelope;
        const returnPath = mailFrom === false ? '' : mailFrom.address;
        received.push({ returnPath, recipient, mime: Buffer.concat(chunks).toString() });
        const answer = answerTo(recipient);
        const moment = typeof answer === 'object' && 'takeAfter' in answer ? answer.takeAfter : Promise.resolve();
        void moment.then(() => done());
      });
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as { port: number };
  return {
    target: { host: '127.0.0.1', port, serverName: NAME, authorities: certificate.cert, heloName: 'carepost.test' },
    received,
    answerWith: (answer) => {
      answerTo = answer;
    },
  };
}
