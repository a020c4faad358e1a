import { connect, createServer } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

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
export function hearPort(host: string, port: number, question = '', isSecure = false): Promise<string | null> {
  return new Promise((resolve) => {
    const where = { host, port, timeout: PATIENCE_MS };
    // Who is there is wanted, not whether its certificate bears this name.
    const socket = isSecure ? connectSecurely({ ...where, rejectUnauthorized: false }) : connect(where);
    const end = (heard: string | null) => {
      socket.destroy();
      resolve(heard);
    };
    socket.once(isSecure ? 'secureConnect' : 'connect', () => socket.write(question));
    socket.once('data', (bytes) => end(bytes.toString('latin1')));
    socket
      .once('timeout', () => end(null))
      .once('error', () => end(null))
      .once('close', () => end(null));
  });
}
