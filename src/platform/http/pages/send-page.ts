import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Sends a page that can load nothing from elsewhere, send nothing elsewhere and be framed by nobody. */
export function sendPage(reply: FastifyReply, page: (nonce: string) => string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply.header('content-security-policy', policy.join('; ')).type('text/html; charset=utf-8').send(page(nonce));
}
