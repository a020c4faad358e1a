import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/**
 * Sends a page of a form. It runs no script but ours, loads nothing from elsewhere, sends nothing elsewhere, and is framed
 * by the origins that the form allows.
 */
export function sendHtml(
  reply: FastifyReply,
  frameOrigins: readonly string[],
  render: (nonce: string) => string | Buffer,
): FastifyReply {
  const nonce = randomUUID(); // 122 bits, from a store of them
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
  ];
  return reply
    .header('content-security-policy', policy.join('; '))
    .header('vary', 'accept-language')
    .type('text/html; charset=utf-8')
    .send(render(nonce));
}
