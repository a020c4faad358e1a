import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { TLS_POLICY } from '../../platform/net/tls-policy.ts';
import { PeerFailure, type Reply, ReplyReader } from './smtp-replies.ts';

export interface Target {
  host: string;
  port: number;
  /** The name that the certificate must have. */
  serverName: string;
  /** The authorities that may have signed it; the system's when absent. */
  authorities?: string;
  heloName: string;
}

export interface TlsFacts {
  version: string;
  cipher: string;
  policy: 'pkix';
  verified: true;
}

const CONNECT_MS = 30_000;
const COMMAND_MS = 5 * 60_000; // RFC 5321 4.5.3.2

/**
 * A connection whose TLS is up and whose peer has shown the right certificate. Only this file makes
 * one, and the envelope writer takes nothing else: that is why nothing can leave in clear.
 */
class VerifiedChannel {
  readonly #socket: TLSSocket;
  readonly #replies: ReplyReader;
  readonly tls: TlsFacts;
  readonly peer: string;
  readonly extensions: ReadonlySet<string>;

  constructor(
    socket: TLSSocket,
    replies: ReplyReader,
    facts: { tls: TlsFacts; peer: string; extensions: Set<string> },
  ) {
    this.#socket = socket;
    this.#replies = replies;
    this.tls = facts.tls;
    this.peer = facts.peer;
    this.extensions = facts.extensions;
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  reply(timeoutMs: number): Promise<Reply> {
    return this.#replies.next(timeoutMs);
  }

  get usable(): boolean {
    return this.#socket.writable && !this.#socket.destroyed;
  }

  close(): void {
    if (this.usable) this.#socket.end('QUIT\r\n');
    this.#socket.destroySoon();
  }
}

export type SecureChannel = VerifiedChannel;

/** Connects, insists on STARTTLS and on a certificate that verifies, or throws PeerFailure. */
export async function connectSecurely(target: Target): Promise<SecureChannel> {
  const socket = connectTcp({ host: target.host, port: target.port, noDelay: true });
  const deadline = setTimeout(() => socket.destroy(), CONNECT_MS);
  try {
    await startTls(socket, target.heloName);
    const secured = await upgrade(socket, target);
    const replies = new ReplyReader(secured);
    secured.write(`EHLO ${target.heloName}\r\n`);
    const hello = expectCode(await replies.next(COMMAND_MS), 250);
    return new VerifiedChannel(secured, replies, {
      tls: factsOf(secured),
      peer: `${target.serverName} [${secured.remoteAddress ?? ''}]`,
      extensions: extensionsOf(hello),
    });
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** Talks in clear up to STARTTLS and not a word further. */
async function startTls(socket: Socket, heloName: string): Promise<void> {
  const replies = new ReplyReader(socket);
  expectCode(await replies.next(COMMAND_MS), 220);
  socket.write(`EHLO ${heloName}\r\n`);
  if (!extensionsOf(expectCode(await replies.next(COMMAND_MS), 250)).has('STARTTLS')) {
    throw new PeerFailure('the peer does not offer TLS');
  }
  socket.write('STARTTLS\r\n');
  expectCode(await replies.next(COMMAND_MS), 220);
  // Bytes behind the 220 were not protected: whoever injected them must not be believed.
  if (replies.detach().leftOver) throw new PeerFailure('the peer sent clear text behind STARTTLS');
}

function upgrade(socket: Socket, { serverName, authorities }: Target): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      servername: serverName,
      ...TLS_POLICY,
      rejectUnauthorized: true,
      ...(authorities === undefined ? {} : { ca: authorities }),
    });
    secured.once('secureConnect', () => {
      secured.removeAllListeners('error').removeAllListeners('close');
      resolve(secured);
    });
    secured.once('error', () => reject(new PeerFailure('the TLS handshake failed')));
    secured.once('close', () => reject(new PeerFailure('the peer closed the connection')));
  });
}

function factsOf(secured: TLSSocket): TlsFacts {
  return { version: secured.getProtocol() ?? '', cipher: secured.getCipher().name, policy: 'pkix', verified: true };
}

function expectCode(reply: Reply, code: number): Reply {
  if (reply.code !== code) throw new PeerFailure(`the peer answered ${reply.code} where ${code} was due`);
  return reply;
}

function extensionsOf(hello: Reply): Set<string> {
  return new Set(hello.lines.slice(1).map((line) => (line.split(' ')[0] as string).toUpperCase()));
}
