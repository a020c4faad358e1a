import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { timeOrderedId } from '../ids.ts';

const REPLIES: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Headers too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
};

/** Answers what is not even HTTP, where no route and so no area is known, and closes the connection. */
export function refuseMalformed(clock: Clock, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, title] = REPLIES[error.code ?? ''] ?? [400, 'The request is not valid HTTP'];
  const body = JSON.stringify({ errors: [{ code, title, details: title }] });
  socket.end(
    [
      `HTTP/1.1 ${code} ${title}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${timeOrderedId(clock)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Answers a request whose body does not come, and closes the connection whether the client does or not. */
export function refuseSlow(clock: Clock, { socket }: IncomingMessage): void {
  refuseMalformed(clock, Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  socket.destroySoon();
}
