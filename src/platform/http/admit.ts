import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { type Authenticator, authorize, type Caller, readKey } from './access.ts';
import type { Area } from './area.ts';
import type { Endpoint } from './endpoint.ts';
import { type Done, limitNetwork, limitRequest, type NetworkLimit } from './limits/limit-network.ts';
import type { Rate } from './limits/rate-limits.ts';
import type { OperatorsDoor } from './operators-door.ts';
import { requireCsrfToken, requireOwnPage } from './pages/own-pages.ts';
import { BACKGROUND_HEADER, readSessionToken, type SessionFinder } from './sessions.ts';

/** Words after /v1/ that name an area or an operation and so can never be a username. */
export const RESERVED_USERNAMES = new Set(
  `email forms marketing orca webhooks messages bulk_messages templated_messages message_receipt dynamic_templates
   webhook_endpoints schedule receiving status events sandbox message_log settings suppressions`.split(/\s+/),
);

const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'location, x-submission-id, submission-receipt, x-request-id, retry-after',
};

export interface AdmitDeps extends NetworkLimit {
  clock: Clock;
  authenticator: Authenticator;
  sessions: SessionFinder;
  operatorsDoor: OperatorsDoor;
  publicUrl: string;
  limits: { key: Rate; network: Rate };
}

/** Lets a request in: the key or the session first, then the limits, then the state of the disk. */
export function admit(deps: AdmitDeps, area: Area, request: FastifyRequest, reply: FastifyReply, done: Done): void {
  const endpoint = request.routeOptions.config.endpoint;
  const { username } = (request.params ?? {}) as { username?: string };
  if (username !== undefined && RESERVED_USERNAMES.has(username)) {
    reply.callNotFound(); // in the words of whoever the address belongs to
    return;
  }
  if (isForOperators(endpoint) && !deps.operatorsDoor.admits(request)) {
    reply.callNotFound();
    return;
  }
  if (isCrossOrigin(endpoint)) reply.headers(CROSS_ORIGIN);
  if (endpoint === undefined || endpoint.access === 'public') return admitAnybody(deps, area, request, reply, done);
  const enter = (found: Caller | null) => {
    try {
      limitCaller(deps, found, request, reply);
      request.caller = authorize(found, endpoint, { username, now: deps.clock.now() });
      if (request.method !== 'GET') deps.backpressure.refuseWhenFull();
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  try {
    const found = findCaller(deps, area, request);
    if (found instanceof Promise) found.then(enter, done);
    else enter(found);
  } catch (error) {
    done(error as Error);
  }
}

function admitAnybody(deps: AdmitDeps, area: Area, request: FastifyRequest, reply: FastifyReply, done: Done): void {
  try {
    if (area.ownPagesOnly === true) requireOwnPage(request, deps.publicUrl);
    limitNetwork(deps, request, reply, done);
  } catch (error) {
    done(error as Error);
  }
}

/** Whoever holds the key of a request; where there is none, whoever has the session of its cookie. */
function findCaller(deps: AdmitDeps, area: Area, request: FastifyRequest): Caller | null | Promise<Caller | null> {
  const { authorization, cookie, [BACKGROUND_HEADER]: background } = request.headers;
  if (authorization !== undefined) {
    const key = readKey(authorization, area.headerForms);
    return key === null ? null : deps.authenticator.find(key);
  }
  const token = readSessionToken(cookie, deps.publicUrl);
  if (token === null) return null;
  requireOwnPage(request, deps.publicUrl);
  const found = deps.sessions.find(token, { background: background !== undefined });
  const check = (session: Awaited<typeof found>) => {
    if (session === null) return null;
    if (session.caller.person.role === 'operator' && !deps.operatorsDoor.admits(request)) return null;
    requireCsrfToken(request, session.csrf);
    return session.caller;
  };
  return found instanceof Promise ? found.then(check) : check(found);
}

function limitCaller(deps: AdmitDeps, found: Caller | null, request: FastifyRequest, reply: FastifyReply): void {
  const { rateLimits, limits, pseudonymOf } = deps;
  if (found === null) limitRequest(rateLimits.take(pseudonymOf(request.ip), limits.network), reply);
  else limitRequest(rateLimits.take(found.keyId ?? found.person.sessionId, limits.key), reply);
}

function isForOperators(endpoint: Endpoint | undefined): boolean {
  return endpoint !== undefined && endpoint.access !== 'public' && endpoint.access.role === 'operator';
}

/** Whether pages of other sites may call an endpoint. */
export function isCrossOrigin(endpoint: Endpoint | undefined): boolean {
  return endpoint?.access === 'public' && endpoint.crossOrigin === true;
}
