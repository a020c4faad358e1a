import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Log } from '../../platform/log.ts';
import type { LiveCertificate } from '../../platform/net/live-certificate.ts';
import { TLS_POLICY } from '../../platform/net/tls-policy.ts';
import { Connection, type ConnectionDeps } from './connection.ts';
import { createLargeData } from './large-data.ts';
import type { Pace } from './patience.ts';
import { REPLY } from './replies.ts';

const HANDSHAKE_MS = 10_000;
const STOP_MS = 10_000;

export interface DoorsDeps extends Pick<ConnectionDeps, 'converse'> {
  certificate: LiveCertificate;
  host: string;
  /** Where to listen, 0 for any port that is free; a secure one begins with TLS. */
  doors: { port: number; secure: boolean }[];
  mostConnections: number;
  mostPerNetwork: number;
  /** How long clients may take. */
  pace: Pace & { handshakeMs?: number };
  /** What stands for the network of an address wherever it is kept. */
  pseudonymOf(address: string): string;
  log: Log;
}

export interface Doors {
  /** In the order of the doors. */
  ports: number[];
  /** Ends the connections; messages under way are answered first. */
  stop(): Promise<void>;
}

/** Listens for SMTP clients, holds a dialogue with each, and secures their connections when it is time. */
export async function openDoors(deps: DoorsDeps): Promise<Doors> {
  const { log, host } = deps;
  /** The connection over each socket, once its handshake is done. */
  const sockets = new Map<Socket, Connection | null>();
  const securing = new Map<string, (secured: Socket) => void>();
  const perNetwork = new Map<string, number>();

  // It never listens: connections of both ports are handed to it when their handshake is due.
  const tls = createTlsServer({
    ...deps.certificate.current,
    ...TLS_POLICY,
    handshakeTimeout: deps.pace.handshakeMs ?? HANDSHAKE_MS,
  });
  deps.certificate.follow((certificate) => tls.setSecureContext({ ...certificate, ...TLS_POLICY }));
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
    largeData: createLargeData(),
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
    if (count >= deps.mostPerNetwork || sockets.size >= deps.mostConnections) {
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

  const servers: Server[] = [];
  const ports: number[] = [];
  for (const { port, secure } of deps.doors) {
    const server = createServer({ noDelay: true }, (socket) => enter(socket, secure));
    ports.push(await listen(server, host, port));
    server.on('error', (error) => log.warn({ err: error }, 'SMTP listener'));
    servers.push(server);
  }

  return {
    ports,
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
