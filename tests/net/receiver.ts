import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Certificate } from '../../src/platform/net/self-signed.ts';

export interface Receiver {
  port: number;
  /** Connections that were opened, whether or not anything came of them. */
  connections(): number;
  /** Connections that are still open. */
  open(): number;
  /** Every byte that was understood, of all connections. */
  heard(): Buffer;
  /** The server name that each handshake named, or false. */
  names: (string | false)[];
}

export interface Script {
  certificate?: Certificate;
  tls?: object;
  /** Answers a request that is all there; a text is sent and the connection ended. */
  answer?: string | ((socket: Socket) => void);
  /** Is called for each connection, and nothing else is done with it. */
  instead?(socket: Socket): void;
}

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** A web server on 127.0.0.1 that does what its script says. */
export async function startReceiver(t: TestContext, script: Script = {}): Promise<Receiver> {
  const { certificate, answer = OK } = script;
  const sockets = new Set<Socket>();
  const chunks: Buffer[] = [];
  const names: (string | false)[] = [];
  let connections = 0;
  const listen = (socket: Socket) => {
    socket.on('error', () => {});
    if (script.instead !== undefined) return script.instead(socket);
    let request = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      request = Buffer.concat([request, chunk]);
      if (!isWhole(request)) return;
      if (typeof answer === 'string') socket.end(answer);
      else answer(socket);
    });
  };
  const server: Server =
    certificate === undefined ? createTcpServer(listen) : createTlsServer({ ...certificate, ...script.tls }, listen);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', ({ servername }: TLSSocket & { servername: string | false }) => names.push(servername));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as { port: number }).port,
    connections: () => connections,
    open: () => sockets.size,
    heard: () => Buffer.concat(chunks),
    names,
  };
}

function isWhole(request: Buffer): boolean {
  const end = request.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(request.subarray(0, end).toString())?.[1];
  return end >= 0 && request.length >= end + 4 + Number(length ?? 0);
}
