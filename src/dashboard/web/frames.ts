import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

// What is written into a document takes its listeners with it, so it listens anew each time.
const SCRIPT = `const take = ({ data, source }) => {
  if (source !== parent || typeof data?.html !== 'string') return;
  document.open();
  document.write(data.html);
  document.close();
  addEventListener('message', take);
};
addEventListener('message', take);`;

const HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;

/**
 * Sends the empty document into which the dashboard writes HTML that is not its own. It is of no origin, whoever opens
 * it; it loads nothing from elsewhere and runs nothing but this script and, where it is live, scripts of this server.
 */
export function sendFrame(reply: FastifyReply, { live }: { live: boolean }): FastifyReply {
  const policy = [
    "default-src 'none'",
    `script-src ${HASH}${live ? " 'self'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ];
  return reply
    .header('content-security-policy', policy.join('; '))
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><title>Preview</title><script>${SCRIPT}</script></html>`);
}
