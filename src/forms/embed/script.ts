import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const SCRIPT = readFileSync(join(import.meta.dirname, 'embed.js'));
const TAG = `"${createHash('sha256').update(SCRIPT).digest('base64url')}"`;

/** Adds /embed.js: one line with it in any page shows a form there. */
export function addEmbedScript(server: FastifyInstance): void {
  server.get('/embed.js', { config: { open: true }, schema: { hide: true } }, (request, reply) => {
    reply.headers({
      'cache-control': 'public, max-age=3600',
      etag: TAG,
      // Pages that load only what allows it, and those that check its hash, take it too.
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    if (request.headers['if-none-match'] === TAG) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(SCRIPT);
  });
}
