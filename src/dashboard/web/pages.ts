import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendCompressed } from '../../platform/http/pages/send-compressed.ts';
import { loadWeb, type Web } from './built.ts';
import { sendFrame } from './frames.ts';

/** Where the page finds the nonce for the few styles that its libraries add while it runs. */
const NONCE = 'CAREPOST_NONCE';

/** How long it takes until a page that could not be built is tried again. */
const TRY_AGAIN_MS = 60_000;

/** Adds the dashboard under /app; / leads there. Which room an address means is for the page to say. */
export function addDashboardPages(server: FastifyInstance): void {
  const open = { schema: { hide: true }, config: { open: true }, exposeHeadRoute: true } as const;
  let loading: Promise<Web> | undefined;
  // Read when somebody first comes: many processes of the product never show it.
  const web = () => {
    loading ??= loadWeb().catch((error: unknown) => {
      // Whoever asks again at once is told the same: building takes all that the machine has.
      setTimeout(() => {
        loading = undefined;
      }, TRY_AGAIN_MS).unref();
      throw error;
    });
    return loading;
  };
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': path = '' } = request.params as { '*'?: string };
    if (/^(api|-)(\/|$)/.test(path)) return reply.callNotFound();
    return sendApp(reply, (await web()).page);
  };
  server.get('/', open, (_request, reply) => reply.redirect('/app'));
  server.get('/app', open, show);
  server.get('/app/*', open, show);
  server.get('/app/frame', open, (_request, reply) => sendFrame(reply, { live: false }));
  server.get('/app/frame/live', open, (_request, reply) => sendFrame(reply, { live: true }));
  server.get('/app/-/:file', open, async (request, reply) => {
    const asset = (await web()).files.get((request.params as { file: string }).file);
    return asset === undefined ? reply.callNotFound() : sendCompressed(asset, request, reply);
  });
}

function sendApp(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .headers({
      'content-security-policy': policy.join('; '),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    })
    .type('text/html; charset=utf-8')
    .send(page.replace(NONCE, nonce));
}
