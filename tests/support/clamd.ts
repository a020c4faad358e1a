import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export const CLEAN = 'stream: OK\0';
export const FOUND = 'stream: Win.Test.EICAR_HDB-1 FOUND\0';

export interface Clamd {
  address: string;
  /** Each stream that came whole. */
  streams: Buffer[];
  /** What to do once a connection is there, and once a stream is whole. */
  onConnect(socket: Socket): void;
  onStream(socket: Socket, stream: Buffer): void;
  stop(): Promise<void>;
}

/** A scanner that speaks INSTREAM as clamd does: a command, chunks behind their lengths, an empty one at the end. */
export async function startClamd(t: TestContext, path?: string): Promise<Clamd> {
  const sockets = new Set<Socket>();
  const clamd: Clamd = {
    address: path ?? '',
    streams: [],
    onConnect() {},
    onStream: (socket) => void socket.end(CLEAN),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    clamd.onConnect(socket);
    let held = Buffer.alloc(0);
    let begun = false;
    const chunks: Buffer[] = [];
    socket.on('data', (bytes) => {
      held = Buffer.concat([held, bytes]);
      if (!begun) {
        const end = held.indexOf(0);
        if (end === -1) return;
        assert.equal(held.toString('latin1', 0, end), 'zINSTREAM');
        held = held.subarray(end + 1);
        begun = true;
      }
      while (held.length >= 4) {
        const length = held.readUInt32BE();
        if (held.length < 4 + length) return;
        if (length === 0) {
          const stream = Buffer.concat(chunks);
          clamd.streams.push(stream);
          clamd.onStream(socket, stream);
          return;
        }
        chunks.push(held.subarray(4, 4 + length));
        held = held.subarray(4 + length);
      }
    });
  });
  server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path });
  await once(server, 'listening');
  if (path === undefined) clamd.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => clamd.stop());
  return clamd;
}
