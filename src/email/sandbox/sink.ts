import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { type Certificate, createSelfSigned } from '../../platform/net/self-signed.ts';
import { TLS_POLICY } from '../../platform/net/tls-policy.ts';
import type { Target } from '../delivery/dialogue/connect.ts';

const NAME = 'sandbox.carepost.internal';
const LARGEST_MESSAGE = 128 * 2 ** 20;

export interface SunkMessage {
  mime: Buffer;
  recipients: string[];
  tlsVersion: string;
  tlsCipher: string;
}

export interface Sink {
  /** Where delivery finds it, with the only certificate that it accepts there. */
  target: Target;
  stop(): Promise<void>;
}

/** A mail server of our own on loopback that takes nothing without TLS and keeps what it gets. */
export async function startSink(
  deps: { clock: Clock; log: Log },
  keep: (message: SunkMessage) => Promise<void>,
): Promise<Sink> {
  const certificate = await createSelfSigned(NAME, deps.clock.now());
  const server = createServer(certificate, async (stream, session) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    await keep({
      mime: Buffer.concat(chunks),
      recipients: session.envelope.rcptTo.map(({ address }) => address),
      ...tlsOf(session),
    });
  });
  server.on('error', (error) => deps.log.warn({ err: error }, 'sandbox sink'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  return {
    target: { host: '127.0.0.1', port, serverName: NAME, authorities: certificate.cert, heloName: 'carepost.internal' },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Receive = (stream: SMTPServerDataStream, session: SMTPServerSession) => Promise<void>;

function createServer({ cert, key }: Certificate, receive: Receive): SMTPServer {
  return new SMTPServer({
    cert,
    key,
    ...TLS_POLICY,
    name: NAME,
    disabledCommands: ['AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    size: LARGEST_MESSAGE,
    onMailFrom: (_address, session, done) => {
      if (session.secure) return done();
      return done(Object.assign(new Error('5.7.0 Must issue a STARTTLS command first'), { responseCode: 530 }));
    },
    onData: (stream, session, done) => {
      receive(stream, session).then(
        () => done(),
        () => {
          stream.resume();
          done(Object.assign(new Error('4.3.0 Not stored'), { responseCode: 451 }));
        },
      );
    },
  });
}

function tlsOf(session: SMTPServerSession): { tlsVersion: string; tlsCipher: string } {
  const options = session.tlsOptions as { version?: string; standardName?: string; name?: string } | false;
  return { tlsVersion: (options && options.version) || '', tlsCipher: (options && options.name) || '' };
}
