import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf, readForm } from '../../platform/http/body/form-body.ts';
import { limitNetwork, type NetworkLimit } from '../../platform/http/limits/limit-network.ts';
import { sendPage } from '../../platform/http/pages/send-page.ts';
import type { LinkAnswer, LinkHandlers, LinkVisit } from './link-handler.ts';
import { isMachine } from './machine.ts';
import type { LinkKind, LinkToken, LinkTokens } from './token.ts';
import { unknownPage } from './unsubscribe-page.ts';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const LARGEST_FORM = 64 * 1024;
/** As many as fit: somebody may be on any number of lists, each of which is a field. */
const MOST_FIELDS = 5_000;

interface Deps extends NetworkLimit {
  tokens: LinkTokens;
  handlers: LinkHandlers;
}

/**
 * Adds /t/TOKEN: what the links and the picture in a mail lead to. Only a POST does more than count (RFC 8058 3.2): by
 * a person with a button of the page, or by a mail program in one click.
 */
export function addTrackingPages(server: FastifyInstance, deps: Deps): void {
  const { tokens, handlers } = deps;
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_FORM }, readLenient);
    scope.addHook('onRequest', (request, reply, done) => limitNetwork(deps, request, reply, done));
    const open = { url: '/t/:token', config: { open: true }, schema: { hide: true } } as const;
    scope.route({
      ...open,
      method: ['GET', 'HEAD'],
      async handler(request, reply) {
        const visit = readVisit(tokens, request);
        return send(reply, visit === null ? null : await handlers[visit.kind].follow(visit));
      },
    });
    scope.route({
      ...open,
      method: 'POST',
      async handler(request, reply) {
        const visit = readVisit(tokens, request);
        return send(reply, visit === null ? null : ((await handlers[visit.kind].act?.(visit)) ?? null));
      },
    });
  });
}

/** What is no form says nothing: whoever posts to a way out means it, however their mail program words it. */
async function readLenient(request: FastifyRequest, body: Buffer): Promise<Record<string, unknown>> {
  const type = request.headers['content-type'];
  const form = formOf(type);
  return form === null ? {} : readForm(form, body, type as string, MOST_FIELDS).catch(() => ({}));
}

function readVisit(tokens: LinkTokens, { params, method, headers, body }: FastifyRequest): LinkVisit | null {
  const token = tokens.read((params as { token: string }).token);
  if (token === null || !isLink(token)) return null;
  const purpose = [headers.purpose, headers['sec-purpose'], headers['x-moz']].join(' ');
  const byMachine = isMachine({ method, userAgent: headers['user-agent'] ?? '', purpose });
  return { ...token, byMachine, form: (body ?? {}) as Record<string, unknown> };
}

/** A return path is made of a token too, and leads nowhere. */
function isLink(token: LinkToken): token is LinkToken<LinkKind> {
  return token.kind !== 'bounce' && token.kind !== 'mailing-bounce';
}

function send(reply: FastifyReply, answer: LinkAnswer): FastifyReply {
  if (answer === null) return sendPage(reply.code(404), unknownPage);
  if (answer === 'picture') return reply.type('image/gif').send(PIXEL);
  if ('redirect' in answer) return reply.redirect(answer.redirect, 302);
  return sendPage(reply.code(answer.status ?? 200), answer.page);
}
