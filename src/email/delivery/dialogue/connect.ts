import { hash } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  createSecureContext,
  type DetailedPeerCertificate,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { TLS_POLICY } from '../../../platform/net/tls-policy.ts';
import { PeerFailure, type Reply, ReplyReader } from './smtp-replies.ts';

/** One address of one server, and how it is to be spoken to. */
export interface Target {
  host: string;
  port: number;
  /** The name that the certificate must have. */
  serverName: string;
  /** The only authorities that may have signed it; the system's and the operator's when absent. */
  authorities?: string;
  heloName: string;
  /** Whether TLS comes first rather than by STARTTLS (RFC 8314 3.3). */
  tlsFirst?: boolean;
  /** Whether to offer TLS 1.2 and no more, for peers that choke on a newer greeting. */
  reduced?: boolean;
}

export interface TlsFacts {
  version: string;
  cipher: string;
}

/** What a peer has shown for itself. */
export interface PeerCertificate {
  /** DER, the peer's own first. */
  chain: Buffer[];
  hash: Buffer;
  chainTrusted: boolean;
  /** Why it is not, as OpenSSL calls it. */
  chainError: string | null;
  namesHost: boolean;
}

interface ChannelFacts {
  host: string;
  address: string;
  tls: TlsFacts;
  certificate: PeerCertificate;
  extensions: ReadonlyMap<string, string>;
}

/** How long to wait for a peer. */
export interface Patience {
  /** Until TLS is up and the peer has said what it can. */
  connectMs: number;
  commandMs: number;
  finalDotMs: number;
}

const MINUTE = 60_000;

/** RFC 5321 4.5.3.2. */
export const PATIENCE: Patience = { connectMs: 2 * MINUTE, commandMs: 5 * MINUTE, finalDotMs: 10 * MINUTE };

const TCP_MS = 30_000;

/**
 * A connection whose TLS is up. Only this file makes one, and the envelope writer takes nothing else: that is why nothing
 * can leave in clear.
 */
class EncryptedChannel {
  readonly #socket: TLSSocket;
  readonly #replies: ReplyReader;
  readonly facts: ChannelFacts;
  /** How many messages it has carried. */
  carried = 0;

  constructor(socket: TLSSocket, replies: ReplyReader, facts: ChannelFacts) {
    this.#socket = socket;
    this.#replies = replies;
    this.facts = facts;
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Writes, and answers once all of it has left; false where it never will. */
  writeOut(bytes: Buffer): Promise<boolean> {
    return new Promise((resolve) =>
      this.#socket.write(bytes, (error) => resolve(error === null || error === undefined)),
    );
  }

  reply(timeoutMs: number): Promise<Reply> {
    return this.#replies.next(timeoutMs);
  }

  /** Gives the peer all of its time once more for the reply that is waited for. */
  prolong(): void {
    this.#replies.prolong();
  }

  /** What the peer has said before it was asked, or why it will say nothing more. */
  get ahead(): Reply | Error | undefined {
    return this.#replies.ahead;
  }

  /** Whether everything that was written has left, or never will. */
  get isFlushed(): boolean {
    return this.#socket.destroyed || this.#socket.writableLength === 0;
  }

  get usable(): boolean {
    return this.#socket.writable && !this.#socket.destroyed;
  }

  close(): void {
    if (this.usable) this.#socket.end('QUIT\r\n');
    this.#socket.destroySoon();
  }

  /** Breaks off whatever is being said. */
  destroy(): void {
    this.#socket.destroy();
  }
}

export type SecureChannel = EncryptedChannel;

declare const cleared: unique symbol;

/** A channel on which content may leave. */
export type ContentChannel = SecureChannel & { readonly [cleared]: true };

/** Clears a channel for content: where its peer is verified, or where whoever sends has said that encrypted is enough. */
export function clearForContent(
  channel: SecureChannel,
  { verified, mayWaive }: { verified: boolean; mayWaive: boolean },
  encryptedIsEnough: boolean,
): ContentChannel | null {
  return verified || (mayWaive && encryptedIsEnough) ? (channel as ContentChannel) : null;
}

/** Connects and insists on TLS, or throws PeerFailure. Whom it has reached is for others to judge. */
export async function connectSecurely(
  target: Target,
  patience: Patience = PATIENCE,
  ending?: AbortSignal,
): Promise<SecureChannel> {
  const socket = connectTcp({ host: target.host, port: target.port, noDelay: true });
  let isLate = false;
  const giveUp = () => {
    isLate = true;
    socket.destroy();
  };
  ending?.addEventListener('abort', giveUp);
  const deadline = setTimeout(giveUp, patience.connectMs);
  const unanswered = setTimeout(giveUp, Math.min(TCP_MS, patience.connectMs));
  socket.once('connect', () => clearTimeout(unanswered));
  try {
    await connected(socket);
    if (target.tlsFirst !== true) await startTls(socket, target.heloName, patience);
    const secured = await upgrade(socket, target);
    const replies = new ReplyReader(secured);
    if (target.tlsFirst === true) expectCode(await replies.next(patience.commandMs), 220, 'greeting');
    secured.write(`EHLO ${target.heloName}\r\n`);
    const hello = expectCode(await replies.next(patience.commandMs), 250, 'EHLO after STARTTLS');
    return new EncryptedChannel(secured, replies, {
      host: target.serverName,
      address: secured.remoteAddress ?? target.host,
      tls: { version: secured.getProtocol() ?? '', cipher: secured.getCipher().name },
      certificate: certificateOf(secured, target.serverName),
      extensions: extensionsOf(hello),
    });
  } catch (error) {
    socket.destroy();
    if (isLate) throw new PeerFailure('unreachable', 'the server did not answer in time');
    throw error;
  } finally {
    clearTimeout(deadline);
    clearTimeout(unanswered);
    ending?.removeEventListener('abort', giveUp);
  }
}

/** Whoever gives up on a connection that is not there yet hears of its end alone, and of no error. */
function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new PeerFailure('unreachable', 'the server cannot be reached'));
    socket.once('connect', () => {
      socket.off('error', fail).off('close', fail);
      resolve();
    });
    socket.once('error', fail).once('close', fail);
  });
}

/** Talks in clear up to STARTTLS and not a word further. */
async function startTls(socket: Socket, heloName: string, { commandMs }: Patience): Promise<void> {
  const replies = new ReplyReader(socket);
  expectCode(await replies.next(commandMs), 220, 'greeting');
  socket.write(`EHLO ${heloName}\r\n`);
  if (!extensionsOf(expectCode(await replies.next(commandMs), 250, 'EHLO')).has('STARTTLS')) {
    throw new PeerFailure('no tls', 'the server does not offer TLS');
  }
  socket.write('STARTTLS\r\n');
  const reply = await replies.next(commandMs);
  if (reply.code !== 220) throw new PeerFailure('no tls', 'the server offers TLS and then refuses it', reply);
  // Bytes behind the 220 were not protected: whoever injected them must not be believed.
  if (replies.detach().leftOver) throw new PeerFailure('no tls', 'the server sent clear text behind STARTTLS');
}

function upgrade(socket: Socket, { serverName, authorities, reduced }: Target): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      ...(isIP(serverName) > 0 ? {} : { servername: serverName }),
      secureContext: contextFor(authorities, reduced === true),
      // The certificate is looked at afterwards: a notice without content may go where content may not.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    const onError = () => reject(new PeerFailure('tls failed', 'the TLS handshake failed'));
    const onClose = () => reject(new PeerFailure('tls failed', 'the server broke off the TLS handshake'));
    secured.once('secureConnect', () => {
      secured.off('error', onError).off('close', onClose);
      resolve(secured);
    });
    secured.once('error', onError).once('close', onClose);
  });
}

const contexts = new Map<string, SecureContext>();

/** Reading authorities takes longer than a handshake: once for each set of them. */
function contextFor(authorities: string | undefined, reduced: boolean): SecureContext {
  const name = `${reduced}${authorities ?? ''}`;
  const context =
    contexts.get(name) ??
    createSecureContext({
      ...TLS_POLICY,
      ...(reduced ? { maxVersion: 'TLSv1.2' } : {}),
      ...(authorities === undefined ? {} : { ca: authorities }),
    });
  contexts.set(name, context);
  return context;
}

/** The system's authorities and those of the operator, in PEM; undefined stands for the system's alone. */
export function trustBeside(authorities: string | undefined): string | undefined {
  return authorities === undefined ? undefined : [...getCACertificates('default'), authorities].join('\n');
}

function certificateOf(secured: TLSSocket, serverName: string): PeerCertificate {
  const own = secured.getPeerCertificate(true) as DetailedPeerCertificate | null;
  if (own?.raw === undefined) throw new PeerFailure('tls failed', 'the server broke off right after the TLS handshake');
  const chain: Buffer[] = [];
  for (let next: DetailedPeerCertificate | undefined = own; next?.raw !== undefined; next = next.issuerCertificate) {
    if (chain.some((known) => known.equals(next.raw))) break;
    chain.push(next.raw);
  }
  return {
    chain,
    hash: Buffer.from(hash('sha256', own.raw, 'hex'), 'hex'),
    chainTrusted: secured.authorized,
    chainError: secured.authorized ? null : String(secured.authorizationError),
    namesHost: checkServerIdentity(serverName, own) === undefined,
  };
}

function expectCode(reply: Reply, code: number, stage: string): Reply {
  if (reply.code !== code) throw new PeerFailure('turned away', `the server answered ${reply.code} to ${stage}`, reply);
  return reply;
}

function extensionsOf(hello: Reply): Map<string, string> {
  return new Map(
    hello.lines.slice(1).map((line) => {
      const [name = '', ...values] = line.split(' ');
      return [name.toUpperCase(), values.join(' ')];
    }),
  );
}
