import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type TSchema, Type } from 'typebox';

/** A body that is read while it arrives. */
export interface BodyStream {
  headers: IncomingHttpHeaders;
  /** Leaving it early leaves the connection open, so that the refusal can still be read. */
  pieces: AsyncIterable<Buffer>;
}

const STREAMED = 'x-streamed';

/** The body of an endpoint that reads it as it arrives; the schema is for the reference only. */
export function streamed(schema: TSchema) {
  return Type.Unsafe<BodyStream>({ ...schema, [STREAMED]: true });
}

/** Whether an endpoint reads its body as it arrives. */
export function isStreamed(schema: TSchema | undefined): boolean {
  return schema !== undefined && STREAMED in schema;
}

/** A body up to this length comes whole or nearly so, and needs no machinery to be waited for. */
const SMALL = 16 * 1024;

/** A request's body, to be read piece by piece. */
export function toBodyStream(request: IncomingMessage): BodyStream {
  const length = Number(request.headers['content-length'] ?? Infinity);
  const pieces = length <= SMALL ? wholeOf(request) : request.iterator({ destroyOnReturn: false });
  return { headers: request.headers, pieces };
}

async function* wholeOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  yield await new Promise<Buffer>((resolve, reject) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    let ended = false;
    const cutOff = () => {
      if (!ended) reject(Object.assign(new Error('cut off'), { code: 'ECONNRESET' }));
    };
    request.once('end', () => {
      ended = true;
      resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    });
    request.once('error', reject);
    request.once('close', cutOff);
    if (request.destroyed) cutOff();
  });
}

const LINGER_MS = 5_000;

/** Lets a client that is refused half way through its body read why, and takes its time away if it goes on. */
export function lingerOver(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(timer));
}
