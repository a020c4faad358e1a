import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that never changes under its name, with what is sent to browsers that take it compressed. */
export interface Asset {
  type: string;
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
}

/** Sends a file as small as the browser takes it. Its name changes with its content. */
export function sendCompressed(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('vary', 'accept-encoding')
    .type(asset.type);
  const taken = encodingsOf(request.headers['accept-encoding']);
  if (taken.has('br')) return reply.header('content-encoding', 'br').send(asset.br);
  return taken.has('gzip') ? reply.header('content-encoding', 'gzip').send(asset.gzip) : reply.send(asset.plain);
}

/** The encodings that a browser names, save those that it refuses. */
function encodingsOf(header: string | string[] | undefined): Set<string> {
  const named = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';').map((part) => part.trim()));
  return new Set(named.flatMap(([name = '', weight = '']) => (/^q=0(?:\.0*)?$/.test(weight) ? [] : [name])));
}
