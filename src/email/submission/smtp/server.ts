import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import type { Clock } from '../../../platform/clock.ts';
import type { Authenticator } from '../../../platform/http/access.ts';
import type { Backpressure } from '../../../platform/http/backpressure.ts';
import type { Idempotency } from '../../../platform/http/idempotency.ts';
import type { RateLimits } from '../../../platform/http/rate-limits.ts';
import type { Log } from '../../../platform/log.ts';
import { TLS_POLICY } from '../../../platform/net/tls-policy.ts';
import type { AcceptMessages } from '../accept.ts';
import type { Message } from '../message.ts';
import type { TemplateChoice } from '../template-choice.ts';
import { Connection, type ConnectionDeps } from './connection.ts';
import { createMimeParser } from './large-mime.ts';
import type { Pace } from './patience.ts';
import { REPLY } from './replies.ts';
import { Room } from './room.ts';
import { createSignInGuard } from './sign-in-guard.ts';
import type { Rate } from './submit.ts';

const MOST_PER_NETWORK = 50;
const MOST_CONNECTIONS = 2_000;
const MEMORY_FOR_MESSAGES = 512 * 2 ** 20;
const HANDSHAKE_MS = 10_000;
const STOP_MS = 10_000;
const PACE: Pace = { commandMs: 300_000, dataMs: 60_000, lingerMs: 2_000 };

export interface SubmissionDeps {
  acceptMessages: AcceptMessages;
  authenticator: Authenticator;
  idempotency: Idempotency;
  rateLimits: RateLimits;
  /** The same as over HTTP: both doors count under the id of the key. */
  limits: { key: Rate };
  backpressure: Backpressure;
  /** What stands for the network of an address wherever it is kept. */
  pseudonymOf(address: string): string;
  certificate: { cert: string; key: string };
  host: string;
  /** The port with STARTTLS and the one with TLS from the start; 0 for any that is free. */
  port: number;
  tlsPort: number;
  /** What the server calls itself. */
  name: string;
  applyTemplate(customerId: number, message: Message, template: TemplateChoice): Promise<Message>;
  clock: Clock;
  log: Log;
  /** What a test may move: how long a refusal waits, and how long clients may take. */
  wait?(ms: number): Promise<void>;
  pace?: Partial<Pace> & { handshakeMs?: number };
}

export interface SubmissionServer {
  port: number;
  tlsPort: number;
  /** Ends the connections; messages under way are answered first. */
  stop(): Promise<void>;
}

/** Opens the SMTP door: messages of clients that hold a key, under TLS only. */
export async function startSubmission(deps: SubmissionDeps): Promise<SubmissionServer> {
  const { log, host } = deps;
  const mimeParser = createMimeParser();
  /** The connection over each socket, once its handshake is done. */
  const sockets = new Map<Socket, Connection | null>();
  const securing = new Map<string, (secured: Socket) => void>();
  const perNetwork = new Map<string, number>();

  // It never listens: connections of both ports are handed to it when their handshake is due.
  const tls = createTlsServer({
    ...deps.certificate,
    ...TLS_POLICY,
    handshakeTimeout: deps.pace?.handshakeMs ?? HANDSHAKE_MS,
  });
  tls.on('secureConnection', (secured) => {
    const key = peerOf(secured);
    const go = securing.get(key);
    securing.delete(key);
    if (go === undefined) secured.destroy();
    else go(secured);
  });
  tls.on('tlsClientError', (_error, socket) => socket.destroy());

  const connectionDeps: ConnectionDeps = {
    ...deps,
    mimeParser,
    room: new Room(MEMORY_FOR_MESSAGES),
    guard: createSignInGuard(deps),
    wait: deps.wait ?? ((ms) => sleep(Math.max(0, ms), undefined, { ref: false })),
    pace: { ...PACE, ...deps.pace },
    secure(socket, go) {
      const key = peerOf(socket);
      securing.set(key, go);
      socket.once('close', () => securing.delete(key));
      tls.emit('connection', socket);
    },
  };

  function enter(socket: Socket, secure: boolean): void {
    const network = deps.pseudonymOf(socket.remoteAddress ?? '');
    const count = perNetwork.get(network) ?? 0;
    socket.on('error', () => socket.destroy());
    if (count >= MOST_PER_NETWORK || sockets.size >= MOST_CONNECTIONS) {
      if (secure) socket.destroy();
      else socket.end(`${REPLY.tooManyConnections}\r\n`);
      return;
    }
    perNetwork.set(network, count + 1);
    sockets.set(socket, null);
    const open = (ready: Socket) =>
      void sockets.set(socket, new Connection(connectionDeps, ready, { network, secure }));
    socket.once('close', () => {
      sockets.delete(socket);
      const left = (perNetwork.get(network) ?? 1) - 1;
      if (left === 0) perNetwork.delete(network);
      else perNetwork.set(network, left);
    });
    if (secure) connectionDeps.secure(socket, open);
    else open(socket);
  }

  const clear = createServer({ noDelay: true }, (socket) => enter(socket, false));
  const secured = createServer({ noDelay: true }, (socket) => enter(socket, true));
  const servers = [clear, secured];
  const [port, tlsPort] = [await listen(clear, host, deps.port), await listen(secured, host, deps.tlsPort)];
  for (const server of servers) server.on('error', (error) => log.warn({ err: error }, 'SMTP listener'));

  return {
    port,
    tlsPort,
    async stop() {
      const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      for (const [socket, connection] of sockets) {
        if (connection === null) socket.destroy();
        else connection.stop();
      }
      const late = setTimeout(() => {
        for (const socket of sockets.keys()) socket.destroy();
      }, STOP_MS);
      await closed;
      clearTimeout(late);
      await mimeParser.stop();
    },
  };
}

/** A connection is known by its ends: the TLS socket over it has the same ones. */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as { port: number }).port;
}
