import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Watches the connections of a server and returns what closes it. Requests under way are waited for,
 * but for a limited time only: Node itself would wait without end for a connection on which nothing,
 * or half a request, has come.
 */
export function prepareClose(server: FastifyInstance, limitMs: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async () => {
    const late = setTimeout(() => server.server.closeAllConnections(), limitMs);
    const closed = server.close();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    await closed;
    clearTimeout(late);
  };
}
