import { connect, type Socket } from 'node:net';

/** One request that is repeated. */
export interface HttpRequest {
  /** POST where nothing is said. */
  method?: string;
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The bytes of the request. */
export function requestBytes({ method = 'POST', port, path, headers, body }: HttpRequest): Buffer {
  const head = Object.entries({
    Host: `127.0.0.1:${port}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`);
}

/** Opens a keep-alive connection that says of each whole reply whether it was a 200 or 201. */
export async function openConnection(port: number, onReply: (accepted: boolean) => void): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const text = pending.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (pending.length < headEnd + 4 + length) return;
    pending = Buffer.alloc(0);
    onReply(/^HTTP\/1.1 20[01]/.test(text));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  return socket;
}
