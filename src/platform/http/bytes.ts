import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** An answer that is not JSON: bytes as they come, with headers of their own. */
export interface BytesReply {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | Uint8Array | null;
}

/** What an endpoint replies with where its answer is not JSON. */
export const Bytes = Type.Unsafe<BytesReply>(Type.String({ format: 'binary' }));

/** Sends bytes; where their source fails half way the connection is cut, so that nobody takes a part for the whole. */
export function sendBytes(reply: FastifyReply, { status, headers, body }: BytesReply): FastifyReply {
  reply.code(status).headers(headers);
  if (body === null) return reply.send();
  return reply.send(body instanceof Uint8Array ? body : Readable.from(body, { objectMode: false }));
}
