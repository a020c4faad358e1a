import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { type Authenticator, authorize, type Caller, readKey } from './access.ts';
import type { Area } from './area.ts';
import type { Backpressure } from './backpressure.ts';
import { carryOut } from './carry-out.ts';
import type { Endpoint } from './endpoint.ts';
import { replyWithError } from './error-replies.ts';
import type { Idempotency } from './idempotency.ts';
import { readJson } from './json-body.ts';
import type { RateLimits, Verdict } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** What a route asks of its callers follows from its endpoint … */
    endpoint?: Endpoint;
    /** … or it is open to anybody on purpose. */
    open?: true;
  }
}

/** Words after /v1/ that name an area or an operation and so can never be a username. */
export const RESERVED_USERNAMES = new Set(
  `email forms marketing orca webhooks messages bulk_messages templated_messages message_receipt dynamic_templates
   webhook_endpoints schedule receiving status events sandbox`.split(/\s+/),
);

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export interface MountDeps {
  clock: Clock;
  log: Log;
  authenticator: Authenticator;
  idempotency: Idempotency;
  rateLimits: RateLimits;
  backpressure: Backpressure;
  limits: { key: { count: number; windowSeconds: number }; network: { count: number; windowSeconds: number } };
  /** Turns a network address into something that may be stored. */
  pseudonymOf(address: string): string;
}

interface Mount {
  area: Area;
  base: string;
  documented: boolean;
}

/** Mounts an area under one of its bases, as a scope with its own authentication and error body. */
export async function mountArea(
  server: FastifyInstance,
  deps: MountDeps,
  { area, base, documented }: Mount,
): Promise<void> {
  await server.register(
    async (scope) => {
      scope.decorateRequest('caller', null);
      scope.setErrorHandler((error, request, reply) =>
        replyWithError(error, { errorBody: area.errorBody, log: deps.log }, request, reply),
      );
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
        try {
          done(null, readBody(request, body as Buffer));
        } catch (error) {
          done(error as Error);
        }
      });
      scope.addHook('onRequest', (request, reply, done) => admit(deps, area, request, reply, done));
      for (const each of area.endpoints) addEndpoint(scope, deps, { area, endpoint: each, documented });
      refuseOtherMethods(scope, area.endpoints);
      addStatus(scope, area, base);
    },
    { prefix: base },
  );
}

function addEndpoint(
  scope: FastifyInstance,
  deps: MountDeps,
  mount: { area: Area; endpoint: Endpoint; documented: boolean },
): void {
  const { area, endpoint, documented } = mount;
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
    schema: {
      hide: !documented,
      operationId: endpoint.operation,
      summary: endpoint.summary,
      tags: [area.name],
      ...(endpoint.access === 'public' ? {} : { security: [{ [endpoint.access.scope]: [] }] }),
      ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
      ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
      response: { 200: endpoint.reply, '4xx': area.errorSchema },
    },
    handler: async (request, reply) => carryOut(deps.idempotency, endpoint, request, reply),
  });
}

/** Nothing to read at an address is 404; another method on it is 405. */
function refuseOtherMethods(scope: FastifyInstance, endpoints: Endpoint[]): void {
  for (const [path, known] of Map.groupBy(endpoints, (each) => each.path)) {
    const others = METHODS.filter((method) => !known.some((each) => each.method === method));
    scope.route({
      method: others,
      url: path,
      config: { open: true },
      schema: { hide: true },
      handler: (request, reply) => {
        reply.header('allow', known.map((each) => each.method).join(', '));
        throw new AppError(request.method === 'GET' ? 'not_found' : 'method_not_allowed');
      },
    });
  }
}

const StatusReply = Type.Object({ service: Type.String(), status: Type.String() });

function addStatus(scope: FastifyInstance, area: Area, base: string): void {
  const schema = { hide: true, response: { 200: StatusReply } };
  const handler = async () => ({ service: `carepost ${area.name}`, status: 'ok' });
  if (base === '') return;
  scope.get('/', { config: { open: true }, schema, handler });
  scope.get('/status', { config: { open: true }, schema, handler });
}

/** Reads a body as JSON whatever its type says, where the endpoint has one; other bodies are ignored. */
function readBody(request: FastifyRequest, body: Buffer): unknown {
  if (request.routeOptions.config.endpoint?.body === undefined) return undefined;
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\b/i.test(type))
    throw new AppError('unsupported_media_type');
  return readJson(body, type);
}

type Done = (error?: Error) => void;

/** Lets a request in: the key first, then the limits, then the state of the disk. */
function admit(deps: MountDeps, area: Area, request: FastifyRequest, reply: FastifyReply, done: Done): void {
  const endpoint = request.routeOptions.config.endpoint;
  const { username } = (request.params ?? {}) as { username?: string };
  if (username !== undefined && RESERVED_USERNAMES.has(username)) {
    reply.callNotFound(); // in the words of whoever the address belongs to
    return;
  }
  if (endpoint === undefined || endpoint.access === 'public') return limitNetwork(deps, request, reply, done);
  const { access } = endpoint;
  const key = readKey(request.headers.authorization, area.headerForms);
  const enter = (found: Caller | null) => {
    try {
      if (found === null) limitRequest(deps.rateLimits.take(deps.pseudonymOf(request.ip), deps.limits.network), reply);
      else limitRequest(deps.rateLimits.take(found.keyId, deps.limits.key), reply);
      request.caller = authorize(found, access, username);
      if (request.method !== 'GET') deps.backpressure.refuseWhenFull();
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  const found = key === null ? null : deps.authenticator.find(key);
  if (found instanceof Promise) found.then(enter, done);
  else enter(found);
}

function limitNetwork(deps: MountDeps, request: FastifyRequest, reply: FastifyReply, done: Done): void {
  try {
    limitRequest(deps.rateLimits.take(deps.pseudonymOf(request.ip), deps.limits.network), reply);
    if (request.method !== 'GET') deps.backpressure.refuseWhenFull();
    done();
  } catch (error) {
    done(error as Error);
  }
}

function limitRequest({ allowed, limit, remaining, resetSeconds }: Verdict, reply: FastifyReply): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
  if (!allowed) throw new AppError('rate_limited', 'Too many requests', { retryAfterSeconds: resetSeconds });
}
