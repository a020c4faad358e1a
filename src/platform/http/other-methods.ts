// Nothing to read at an address is 404; another method on it is 405.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { AppError } from '../errors.ts';
import { RESERVED_USERNAMES } from './admit.ts';
import type { Area } from './area.ts';
import type { Endpoint } from './endpoint.ts';
import { pathParts } from './path-parts.ts';

export const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const USERNAME = ':username';

interface Address {
  path: string;
  parts: string[];
  methods: HTTPMethods[];
}

/**
 * Tells why nobody answers a request. Only asked for those, since a route for each method that an address has not would be
 * three of four routes.
 */
export function createExplainMiss(areas: Area[]): (request: FastifyRequest, reply: FastifyReply) => AppError {
  let known: Address[] | undefined;
  return (request, reply) => {
    known ??= findAddresses(areas);
    const parts = pathParts(request.url);
    const address = known.find((each) => covers(each.parts, parts));
    if (address === undefined || address.methods.includes(request.method)) {
      return new AppError('not_found', 'No such address');
    }
    return refuseMethod(request, reply, address.methods);
  };
}

/** Refuses methods that an address with an id in this place would take: `DELETE /api/forms/stats` means no form. */
export function refuseShadowed(scope: FastifyInstance, endpoints: Endpoint[]): void {
  const addresses = addressesOf(endpoints);
  for (const { path, parts, methods } of addresses) {
    const covering = addresses.filter((each) => covers(each.parts, parts));
    const shadowing = covering.flatMap((each) => each.methods).filter((method) => !methods.includes(method));
    if (shadowing.length === 0) continue;
    scope.route({
      method: [...new Set(shadowing)],
      url: path,
      config: { open: true },
      schema: { hide: true },
      handler: (request, reply) => {
        throw refuseMethod(request, reply, methods);
      },
    });
  }
}

function refuseMethod({ method }: FastifyRequest, reply: FastifyReply, methods: string[]): AppError {
  reply.header('allow', methods.join(', '));
  const isRead = method === 'GET' || (method === 'HEAD' && !methods.includes('GET'));
  return new AppError(isRead ? 'not_found' : 'method_not_allowed');
}

/** Every address of every area, in the order in which the router prefers them: words before ids. */
function findAddresses(areas: Area[]): Address[] {
  const addresses = areas.flatMap(({ bases, endpoints }) => bases.flatMap((base) => addressesOf(endpoints, base)));
  const rank = ({ parts }: Address) => parts.map((part) => (isVariable(part) ? '\uffff' : part)).join('/');
  return addresses.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

function addressesOf(endpoints: Endpoint[], base = ''): Address[] {
  const byPath = Map.groupBy(endpoints, (each) => base + each.path);
  return [...byPath].map(([path, known]) => ({
    path,
    parts: pathParts(path),
    methods: known.map((each) => each.method),
  }));
}

function covers(pattern: string[], parts: string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, at) => fits(part, parts[at] as string));
}

function fits(pattern: string, part: string): boolean {
  if (pattern === USERNAME) return !RESERVED_USERNAMES.has(part);
  return isVariable(pattern) || pattern === part;
}

function isVariable(part: string): boolean {
  return part.startsWith(':');
}
