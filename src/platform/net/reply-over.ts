import { type IncomingMessage, request as startRequest } from 'node:http';
import type { Socket } from 'node:net';

export interface Exchange {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

const LARGEST_HEAD = 16 * 1024;

/** Sends one request over an open connection and gives the reply, whose body is still to be read. */
export function replyOver(socket: Socket, { method, path, headers, body }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // No agent stands behind a connection that is handed over: nothing is kept, shared or sent by a proxy.
    const request = startRequest({
      createConnection: () => socket,
      method,
      path,
      headers,
      setHost: false,
      maxHeaderSize: LARGEST_HEAD,
      insecureHTTPParser: false,
    });
    request.once('response', resolve);
    request.on('error', reject).once('close', () => reject(new Error('no reply')));
    request.end(body);
  });
}
