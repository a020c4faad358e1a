import type { Server as TlsServer } from 'node:tls';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { timeOrderedId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { LiveCertificate } from '../net/live-certificate.ts';
import { TLS_POLICY } from '../net/tls-policy.ts';
import { givenRequestId, onBehalfOf } from '../request-context.ts';
import type { Area } from './area.ts';
import { compileWhenUsed } from './compile-when-used.ts';
import { replyWithError } from './error-replies.ts';
import type { Origin } from './limits/fair-queue.ts';
import { type Done, limitNetwork } from './limits/limit-network.ts';
import { networkOf } from './limits/network-of.ts';
import type { Pace } from './limits/pace.ts';
import { isLocalOrTrusted } from './limits/trusted-peers.ts';
import type { Turns } from './limits/turns.ts';
import { refuseMalformed } from './malformed-requests.ts';
import { type MountDeps, mountArea } from './mount-area.ts';
import { addApiReference } from './openapi.ts';
import { createExplainMiss } from './other-methods.ts';
import { pathParts } from './path-parts.ts';
import { addProbes, type ProbeDeps } from './probes.ts';

const DEFAULT_BODY_LIMIT = 1024 * 1024;
/** Where people show passwords and second factors; elsewhere 401 tells of a session that is over. */
const SIGN_IN = '/app/api/sign_in';
const HTTPS_ONLY = 'max-age=31536000; includeSubDomains';
/** Node would refuse it without a body, and without a request id. */
const OURS_TO_REFUSE = { requireHostHeader: false };
/** What is no page does nothing in a browser and stands in no frame; pages say what they need instead. */
const NO_PAGE = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

export interface ServerDeps extends MountDeps, ProbeDeps {
  clock: Clock;
  log: Log;
  metrics: Metrics;
  pace: Pace;
  turns: Turns;
  areas: [Area, ...Area[]];
  /** Shown to clients; null where TLS ends elsewhere or is not spoken. */
  certificate: LiveCertificate | null;
  trustedProxies: string[];
  version: string;
}

/** Builds the one HTTP server: all areas on all their bases, probes, and the API reference. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { clock, log, areas, trustedProxies, certificate } = deps;
  const server = fastify({
    ...(certificate === null
      ? { http: OURS_TO_REFUSE }
      : { https: { ...certificate.current, ...TLS_POLICY, ...OURS_TO_REFUSE } }),
    genReqId: ({ headers }) => givenRequestId(headers['x-request-id']) ?? timeOrderedId(clock),
    bodyLimit: DEFAULT_BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true, maxParamLength: 512 },
    exposeHeadRoutes: false,
    return503OnClosing: false, // what comes before the end is answered like everything else
    requestTimeout: 0, // the pace decides
    // Addresses that cannot even be decoded: no hook has run yet.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      replyWithError(error, { errorBody: bodyByPath(areas, request), log }, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseMalformed(clock, error, socket),
    schemaController: { compilersFactory: compileWhenUsed },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
  }) as unknown as FastifyInstance;

  certificate?.follow((next) => (server.server as unknown as TlsServer).setSecureContext({ ...next, ...TLS_POLICY }));

  // RFC 9110 10.1.1 leaves it open to go on as if nothing were expected.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));

  // Only areas read bodies; whatever is sent elsewhere is thrown away.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  server.addHook('onRequest', (request, reply, done) => {
    const isLight = request.routeOptions.config.open === true; // probes and pages
    if (isLight) done();
    else deps.turns.wait(reply.raw, () => originOf(request), done);
  });
  server.addHook('onRequest', (request, reply, done) => {
    deps.pace.watch(request.raw);
    forgetIdleType(request);
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('cache-control', 'no-store');
    reply.header('content-security-policy', NO_PAGE);
    if (request.protocol === 'https') reply.header('strict-transport-security', HTTPS_ONLY);
    done(refuseHostless(request) ?? refuseClearText(request, deps) ?? refuseCompressed(request) ?? undefined);
  });
  // Once the body is read: what reads it runs on behalf of its connection.
  server.addHook('preHandler', (request, _reply, done) => onBehalfOf(request.id, done));
  server.addHook('onRoute', ({ url, config }) => {
    if (config?.endpoint === undefined && config?.open !== true) {
      throw new Error(`${url} does not say who may call it`);
    }
  });
  server.addHook('onResponse', (request, reply, done) => {
    record(request, reply, deps);
    done();
  });
  server.setErrorHandler((error, request, reply) =>
    replyWithError(error, { errorBody: bodyByPath(areas, request), log }, request, reply),
  );
  const explainMiss = createExplainMiss(areas);
  const preHandler = (request: FastifyRequest, reply: FastifyReply, done: Done) =>
    limitNetwork(deps, request, reply, done);
  server.setNotFoundHandler({ preHandler }, (request, reply) =>
    replyWithError(explainMiss(request, reply), { errorBody: bodyByPath(areas, request), log }, request, reply),
  );

  await addApiReference(server, { version: deps.version });
  for (const area of areas) {
    for (const [index, base] of area.bases.entries())
      await mountArea(server, deps, { area, base, documented: index === 0 });
  }
  addProbes(server, deps);
  return server;
}

function originOf({ ip, headers }: FastifyRequest): Origin {
  return { network: networkOf(ip), caller: headers.authorization ?? '' };
}

/** RFC 9112 3.2. */
function refuseHostless({ raw: { httpVersion, headers } }: FastifyRequest): AppError | null {
  if (httpVersion !== '1.1' || headers.host !== undefined) return null;
  return new AppError('invalid_request', 'The header Host is missing');
}

/** Plain HTTP is for this machine and for proxies that end TLS; it is refused rather than redirected. */
function refuseClearText(request: FastifyRequest, { trustedProxies }: ServerDeps): AppError | null {
  if (request.protocol === 'https' || isLocalOrTrusted(request.socket, trustedProxies)) return null;
  return new AppError('https_required');
}

/** Fastify refuses a type that is none, also one that is blank, and where nobody reads a body at all. */
function forgetIdleType({ raw: { headers }, routeOptions, is404 }: FastifyRequest): void {
  const { endpoint } = routeOptions.config;
  const isRead = endpoint === undefined ? !is404 : endpoint.body !== undefined;
  if (!isRead || headers['content-type']?.trim() === '') delete headers['content-type'];
}

/** A compressed body could unfold to anything. */
function refuseCompressed(request: FastifyRequest): AppError | null {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return null;
  return new AppError('unsupported_media_type', 'Content-Encoding is not supported');
}

function record(request: FastifyRequest, reply: FastifyReply, { log, metrics }: ServerDeps): void {
  const route = request.routeOptions.url ?? 'unknown';
  const status = reply.statusCode;
  metrics.requests.observe({ route, method: request.method, status: String(status) }, reply.elapsedTime / 1000);
  const { authorization } = request.headers;
  if (status === 401 && route.startsWith(SIGN_IN)) metrics.signInFailures.inc({ door: 'dashboard' });
  else if (status === 401 && authorization !== undefined) metrics.signInFailures.inc({ door: 'api' });
  if (status < 400 && !log.isLevelEnabled('debug')) return;
  const line = { requestId: request.id, method: request.method, route, status, ms: Math.round(reply.elapsedTime) };
  if (status >= 400) log.info({ ...line, customerId: request.caller?.customerId }, 'refused');
  else log.debug({ ...line, customerId: request.caller?.customerId }, 'answered');
}

/** The error body of the area that an address seems to belong to; the first area answers for the rest. */
function bodyByPath(areas: ServerDeps['areas'], request: FastifyRequest): Area['errorBody'] {
  const path = `/${pathParts(request.url).join('/')}/`;
  const beginnings = areas.flatMap((area) =>
    [...area.bases, ...(area.rootPaths ?? [])].map((base) => ({ area, text: base.split('/:')[0] as string })),
  );
  const fitting = beginnings.filter(({ text }) => text !== '' && path.startsWith(`${text}/`));
  const [closest] = fitting.toSorted((one, other) => other.text.length - one.text.length);
  return (closest?.area ?? areas[0]).errorBody;
}
