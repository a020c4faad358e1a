import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { limitNetwork, type NetworkLimit } from '../../platform/http/mount-area.ts';
import { sendPage } from '../../platform/http/send-page.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { recordClick, recordOpen, recordUnsubscribe } from './engagement.ts';
import { isMachine } from './machine.ts';
import type { LinkTokens } from './token.ts';
import { askPage, donePage, unknownPage } from './unsubscribe-page.ts';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

interface Deps extends NetworkLimit {
  db: Database;
  vault: Vault;
  clock: Clock;
  tokens: LinkTokens;
}

/** Adds /t/TOKEN: what the links and the picture in a mail lead to. Opening one changes counts and nothing else. */
export function addTrackingPages(server: FastifyInstance, deps: Deps): void {
  server.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => limitNetwork(deps, request, reply, done));
    const open = { url: '/t/:token', config: { open: true }, schema: { hide: true } } as const;
    scope.route({
      ...open,
      method: ['GET', 'HEAD'],
      handler: (request, reply) => follow(deps, request, reply),
    });
    scope.route({
      ...open,
      method: 'POST',
      handler: (request, reply) => act(deps, request, reply),
    });
  });
}

async function follow(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = readToken(deps, request);
  if (token?.kind === 'open') {
    await recordOpen(deps, token.messageId, isMachine(visitOf(request)));
    return reply.type('image/gif').send(PIXEL);
  }
  if (token?.kind === 'click') {
    const target = await recordClick(deps, token, isMachine(visitOf(request)));
    if (target !== null) return reply.redirect(target, 302);
  }
  if (token?.kind === 'unsubscribe') return sendPage(reply, askPage);
  return sendPage(reply.code(404), unknownPage);
}

/** Only a POST unsubscribes (RFC 8058 3.2): a person by the page's button, or a mail program in one click. */
async function act(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = readToken(deps, request);
  const left = token?.kind === 'unsubscribe' ? await recordUnsubscribe(deps, token.messageId) : null;
  if (left === null) return sendPage(reply.code(404), unknownPage);
  return sendPage(reply, donePage(left.unsubscribeUrl));
}

function readToken({ tokens }: Deps, request: FastifyRequest) {
  return tokens.read((request.params as { token: string }).token);
}

function visitOf({ method, headers }: FastifyRequest) {
  const purpose = [headers.purpose, headers['sec-purpose'], headers['x-moz']].join(' ');
  return { method, userAgent: headers['user-agent'] ?? '', purpose };
}
