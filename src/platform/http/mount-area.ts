import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Access, Caller } from './access.ts';
import { type AdmitDeps, admit, isCrossOrigin } from './admit.ts';
import type { Area } from './area.ts';
import { isStreamed, lingerOver } from './body/body-stream.ts';
import { formOf, readForm } from './body/form-body.ts';
import { readJson } from './body/json-body.ts';
import { Bytes } from './bytes.ts';
import { carryOut, isIdempotent } from './carry-out.ts';
import type { Endpoint } from './endpoint.ts';
import { replyWithError } from './error-replies.ts';
import type { Idempotency } from './idempotency.ts';
import { METHODS, refuseShadowed } from './other-methods.ts';

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

export interface MountDeps extends AdmitDeps {
  log: Log;
  idempotency: Idempotency;
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
      scope.setErrorHandler((error, request, reply) => refuse(deps, area, error, request, reply));
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
        readBody(request, body),
      );
      scope.addHook('onRequest', (request, reply, done) => admit(deps, area, request, reply, done));
      for (const each of area.endpoints) {
        if (!isStreamed(each.body)) addEndpoint(scope, deps, { area, endpoint: each, documented });
      }
      await scope.register(async (streams) => {
        // Whoever reads a body as it arrives gets it untouched.
        streams.removeAllContentTypeParsers();
        streams.addContentTypeParser('*', (_request, _payload, done) => done(null));
        streams.setValidatorCompiler(() => () => true);
        for (const each of area.endpoints) {
          if (isStreamed(each.body)) addEndpoint(streams, deps, { area, endpoint: each, documented });
        }
      });
      refuseShadowed(scope, area.endpoints);
      answerPreflights(scope, area.endpoints);
      for (const path of area.notImplemented ?? []) answerNotImplemented(scope, path);
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
    attachValidation: isIdempotent(endpoint),
    ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
    ...(endpoint.bodyOptional === undefined ? {} : { preValidation: fillLeftOutBody }),
    schema: {
      hide: !documented,
      operationId: endpoint.operation,
      summary: endpoint.summary,
      tags: [area.name],
      ...(endpoint.access === 'public' ? {} : { security: securityOf(endpoint.access) }),
      ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
      ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
      ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
      response: { [endpoint.status ?? 200]: replyOf(endpoint), '4xx': area.errorSchema },
    },
    handler: async (request, reply) => {
      await noteEmergency(deps, endpoint, request);
      return carryOut(deps.idempotency, endpoint, request, reply);
    },
  });
}

/** Whatever is read by emergency access stands in the audit log, also what nobody else's reading of is written down. */
async function noteEmergency({ sessions }: MountDeps, { operation }: Endpoint, request: FastifyRequest): Promise<void> {
  const { caller, id: requestId, params } = request;
  if (caller === null || caller.person === null || caller.person.grantId === undefined) return;
  const ids = Object.values((params ?? {}) as Record<string, string>).filter((each) => /^[0-9a-f-]{1,36}$/i.test(each));
  await sessions.noteEmergency(caller, { operation, ids, requestId });
}

function replyOf({ reply, produces }: Endpoint): object {
  if (reply === Bytes && produces === undefined) return { type: 'null', description: 'An empty body' };
  return produces === undefined ? reply : { content: { [produces]: { schema: reply } } };
}

function securityOf({ scope }: Access): Record<string, string[]>[] {
  if (scope === 'people') return [{ session: [] }];
  return (scope === 'any' ? ['email', 'forms', 'marketing'] : [scope]).map((each) => ({ [each]: [] }));
}

/** Answers an error as the endpoint, or else its area, words it. */
function refuse(
  deps: MountDeps,
  area: Area,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const endpoint = request.routeOptions.config.endpoint;
  const errorBody = endpoint?.errorBody ?? area.errorBody;
  if (isStreamed(endpoint?.body)) reply.raw.once('finish', () => lingerOver(request.raw));
  const { invalidStatus } = area;
  return replyWithError(error, { errorBody, log: deps.log, invalidStatus }, request, reply);
}

function answerNotImplemented(scope: FastifyInstance, path: string): void {
  for (const url of [path, `${path}/*`]) {
    scope.route({
      method: METHODS,
      url,
      config: { open: true },
      schema: { hide: true },
      handler: () => {
        throw new AppError('not_implemented', 'This part of the interface is not in this version');
      },
    });
  }
}

/** Tells browsers that pages of other sites may call an address. */
function answerPreflights(scope: FastifyInstance, endpoints: Endpoint[]): void {
  const open = endpoints.filter(isCrossOrigin);
  for (const [path, known] of Map.groupBy(open, (each) => each.path)) {
    scope.route({
      method: 'OPTIONS',
      url: path,
      config: { open: true },
      schema: { hide: true },
      handler: (_request, reply) =>
        reply
          .code(204)
          .headers({
            'access-control-allow-origin': '*',
            'access-control-allow-methods': known.map((each) => each.method).join(', '),
            'access-control-allow-headers': 'content-type, idempotency-key',
            'access-control-max-age': '86400',
          })
          .send(),
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

/** Reads a body as JSON, or as a form where the endpoint takes one; bodies that nobody asked for are ignored. */
function readBody(request: FastifyRequest, body: Buffer): unknown {
  const endpoint = request.routeOptions.config.endpoint;
  if (endpoint?.body === undefined) return undefined;
  const type = request.headers['content-type'];
  const form = formOf(type);
  if (form !== null && endpoint.bodyForms?.includes(form) === true) return readForm(form, body, type as string);
  const isJson = type === undefined || /^application\/([\w.-]+\+)?json\b/i.test(type);
  if (endpoint.bodyOptional === true && (body.length === 0 || !isJson)) return undefined;
  if (!isJson) throw new AppError('unsupported_media_type');
  return readJson(body, type);
}

/** Some clients send null, or a type of their own, where they have nothing to say. */
async function fillLeftOutBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
