import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf, readForm } from '../../platform/http/body/form-body.ts';
import { toAppError } from '../../platform/http/error-replies.ts';
import { limitNetwork, type NetworkLimit } from '../../platform/http/limits/limit-network.ts';
import { isOwnForm } from '../../platform/http/pages/own-form.ts';
import type { Log } from '../../platform/log.ts';
import { findPickup } from './find-pickup.ts';
import { refusedPage, unknownPage } from './page/answers.ts';
import { sendPickupPage } from './page/shell.ts';
import { confirm, download, enter, mailCode, takeCode, takeReply, type Visit, type VisitDeps } from './visits.ts';

const LARGEST_FORM = 512 * 1024;

interface Deps extends NetworkLimit, VisitDeps {
  log: Log;
}

type Answering = (deps: VisitDeps, visit: Visit) => Promise<FastifyReply>;

/**
 * Adds /pickup/TOKEN: where recipients read what may not leave as content. The link alone shows whom a message is from;
 * all else takes a code that was mailed to the recipient.
 */
export function addPickupPages(server: FastifyInstance, deps: Deps): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_FORM }, readFields);
    scope.addHook('onRequest', (request, reply, done) => limitNetwork(deps, request, reply, done));
    scope.setErrorHandler((error, request, reply) => refuse(deps, error, request, reply));
    const add = (method: string | string[], path: string, answer: Answering) =>
      scope.route({
        url: `/pickup/:token${path}`,
        method,
        config: { open: true },
        schema: { hide: true },
        handler: (request, reply) => meet(deps, answer, request, reply),
      });

    add(['GET', 'HEAD'], '', enter);
    add('POST', '/code', mailCode);
    add('POST', '/open', takeCode);
    add('GET', '/files/:place', download);
    add('POST', '/reply', takeReply);
    add('GET', '/replied', confirm);
  });
}

/** Whatever is wrong with a link, the answer is the same. */
async function meet(deps: Deps, answer: Answering, request: FastifyRequest, reply: FastifyReply) {
  const { token } = request.params as { token: string };
  const pickup = await findPickup(deps, token);
  if (pickup === null) return sendPickupPage(reply.code(404), unknownPage);
  if (request.method === 'POST' && !isOwnForm(request, deps.publicUrl)) {
    return sendPickupPage(reply.code(403), refusedPage('This form is not ours'));
  }
  return answer(deps, { token, pickup, request, reply });
}

async function readFields(request: FastifyRequest, body: Buffer): Promise<Record<string, unknown>> {
  const type = request.headers['content-type'];
  const form = formOf(type);
  return form === null ? {} : readForm(form, body, type as string);
}

function refuse({ log }: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error);
  if (known.status >= 500) log.error({ requestId: request.id, err: error, code: known.code }, 'request failed');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  return sendPickupPage(reply.code(known.status), refusedPage(known.title));
}
