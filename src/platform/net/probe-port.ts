import { connect, createServer } from 'node:net';

const PATIENCE_MS = 3_000;

/** Whether this machine may listen on a port, or what is in the way (`EADDRINUSE`, `EACCES`…). */
export function tryListening(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/** What a server on a port says once it has been asked; null where nothing listens or nothing comes. */
export function hearPort(host: string, port: number, question = ''): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const end = (heard: string | null) => {
      socket.destroy();
      resolve(heard);
    };
    socket.once('connect', () => socket.write(question));
    socket.once('data', (bytes) => end(bytes.toString('latin1')));
    socket
      .once('timeout', () => end(null))
      .once('error', () => end(null))
      .once('close', () => end(null));
  });
}
