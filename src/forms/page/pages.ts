import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lingerOver } from '../../platform/http/body/body-stream.ts';
import { toAppError } from '../../platform/http/error-replies.ts';
import { limitNetwork, type NetworkLimit } from '../../platform/http/limits/limit-network.ts';
import { isOwnForm } from '../../platform/http/pages/own-form.ts';
import type { Log } from '../../platform/log.ts';
import { DRAFT_ROUTES } from '../drafts/page/routes.ts';
import { meetSigner, SIGNING_ROUTES } from '../signing/page/routes.ts';
import type { SigningDeps } from '../signing/page/visit.ts';
import { loadPageAssets, type PageAssets } from './assets.ts';
import { thankFor } from './done.ts';
import { enter } from './enter.ts';
import { findFormAt } from './find-form.ts';
import { sendAsset } from './send-asset.ts';
import { sendMessage } from './send-message.ts';
import { takePage } from './take-page.ts';
import type { PageDeps, Visit } from './visit.ts';

type Deps = SigningDeps & NetworkLimit & { log: Log };

/** Whoever is refused something, and by whom the page that says so may be framed. */
interface Refused {
  request: FastifyRequest;
  reply: FastifyReply;
  frameOrigins?: readonly string[];
}

type Answering = (deps: PageDeps, visit: Visit) => Promise<FastifyReply>;

/** Adds the pages of forms, at /f/ID and /f/NAME: where anybody fills them in, with or without script. */
export function addFormPages(server: FastifyInstance, deps: Deps): void {
  server.register(async (scope) => {
    const assets = await loadAssets(deps.log);
    // A page is read as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onRequest', (request, reply, done) => limitNetwork(deps, request, reply, done));
    scope.setErrorHandler((error, request, reply) => refuse(deps, error, { request, reply }));
    const add = (
      method: string | string[],
      url: string,
      handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
    ) => scope.route({ url, method, config: { open: true }, schema: { hide: true }, handler });
    const answer = (answering: Answering) => (request: FastifyRequest, reply: FastifyReply) =>
      meet(deps, assets, answering, request, reply);

    for (const url of ['/f/:address', '/f/:address/l/:token']) {
      add(['GET', 'HEAD'], url, answer(enter));
      add('POST', url, answer(takePage));
    }
    add(['GET', 'HEAD'], '/f/:address/done', answer(thankFor));
    for (const route of DRAFT_ROUTES) add(route.method, route.url, answer(route.answer));
    for (const route of SIGNING_ROUTES) {
      add(route.method, route.url, (request, reply) => meetSigner(deps, route, { request, reply, assets }));
    }
    add('GET', '/f/:address/challenge', answer(challenge));
    add('GET', '/f/-/:file', (request, reply) => sendAsset(assets, request, reply));
  });
}

/** A form is complete without the script, so that it is shown even where none could be built. */
async function loadAssets(log: Log): Promise<PageAssets | null> {
  try {
    return await loadPageAssets();
  } catch (error) {
    log.error({ err: error }, 'the script of the form pages could not be built');
    return null;
  }
}

/** Every form that is not public is the same to whoever asks: not there. */
async function meet(
  deps: Deps,
  assets: PageAssets | null,
  answering: Answering,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { address, token } = request.params as { address: string; token?: string };
  const form = await findFormAt(deps, address);
  if (form === null) return sendMessage({ request, reply }, 404, { kind: 'notFound' });
  const { frameOrigins } = form.page;
  if (request.method === 'POST' && !isOwnForm(request, deps.publicUrl)) {
    return sendMessage({ request, reply, frameOrigins }, 403, { kind: 'refused' });
  }
  const base = `/f/${encodeURIComponent(address)}`;
  const action = token === undefined ? base : `${base}/l/${encodeURIComponent(token)}`;
  try {
    return await answering(deps, { form, action, link: token ?? null, request, reply, assets });
  } catch (error) {
    return refuse(deps, error, { request, reply, frameOrigins });
  }
}

async function challenge(deps: PageDeps, { form, request, reply }: Visit): Promise<FastifyReply> {
  const to = { request, reply, frameOrigins: form.page.frameOrigins };
  if (form.page.proofOfWork === 'off') return sendMessage(to, 404, { kind: 'notFound' });
  return reply.send(await deps.proofOfWork.challenge(form.id));
}

/** Says that something was refused or failed, within the pages that may frame the form. */
function refuse({ log }: Deps, error: unknown, to: Refused): FastifyReply {
  const { request, reply } = to;
  const known = toAppError(error);
  if (known.status >= 500) log.error({ requestId: request.id, err: error, code: known.code }, 'request failed');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  reply.raw.once('finish', () => lingerOver(request.raw));
  return sendMessage(to, known.status, { kind: known.status === 404 ? 'notFound' : 'refused' });
}
