import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAssets } from './assets.ts';
import { sendMessage } from './send-message.ts';

/** Sends a file of the page's script, as small as the browser takes it. Its name changes with its content. */
export function sendAsset(assets: PageAssets | null, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { file } = request.params as { file: string };
  const asset = assets?.files.get(file);
  if (asset === undefined) return sendMessage({ request, reply }, 404, { kind: 'notFound' });
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
