import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCompressed } from '../../platform/http/pages/send-compressed.ts';
import type { PageAssets } from './assets.ts';
import { sendMessage } from './send-message.ts';

/** Sends a file of the page's script. */
export function sendAsset(assets: PageAssets | null, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { file } = request.params as { file: string };
  const asset = assets?.files.get(file);
  if (asset === undefined) return sendMessage({ request, reply }, 404, { kind: 'notFound' });
  // A preview is a document of no origin, and browsers fetch modules for one as they do for other sites.
  return sendCompressed(asset, request, reply.header('access-control-allow-origin', '*'));
}
