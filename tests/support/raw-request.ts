import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A body as it is, in chunks of no announced length, or announced and never sent. */
export type RawBody = string | Buffer | { chunks: Buffer[] } | { announced: number };

const agent = new Agent({ keepAlive: true });
const DEADLINE_MS = 30_000;

/** Asks exactly as told: the address is not tidied up, and nothing is added but the length of a body. */
export function rawRequest(
  url: string,
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: RawBody } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const length = lengthOf(body);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      method,
      path,
      agent,
      headers: {
        ...(length === undefined ? {} : { 'content-length': length }),
        // With DELETE the client would send the chunks as they are.
        ...(typeof body === 'object' && 'chunks' in body ? { 'transfer-encoding': 'chunked' } : {}),
        ...headers,
      },
    });
    outgoing.once('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      incoming.once('end', () => {
        if (typeof body === 'object' && 'announced' in body) outgoing.destroy();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.setTimeout(DEADLINE_MS, () => outgoing.destroy(new Error(`no answer to ${method} ${path}`)));
    if (typeof body === 'string' || Buffer.isBuffer(body)) outgoing.end(body);
    else if ('announced' in body) outgoing.flushHeaders();
    else {
      for (const chunk of body.chunks) outgoing.write(chunk);
      outgoing.end();
    }
  });
}

function lengthOf(body: RawBody): number | undefined {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.byteLength(body) || undefined;
  return 'announced' in body ? body.announced : undefined;
}
