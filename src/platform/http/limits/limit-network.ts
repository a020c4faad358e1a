import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Backpressure } from './backpressure.ts';
import type { Rate, RateLimits, Verdict } from './rate-limits.ts';

/** What it takes to limit those who need no key. */
export interface NetworkLimit {
  rateLimits: RateLimits;
  backpressure: Backpressure;
  limits: { network: Rate };
  /** Turns a network address into something that may be stored. */
  pseudonymOf(address: string): string;
}

export type Done = (error?: Error) => void;

/** Counts a request that needs no key against the network that it comes from. */
export function limitNetwork(deps: NetworkLimit, request: FastifyRequest, reply: FastifyReply, done: Done): void {
  try {
    limitRequest(deps.rateLimits.take(deps.pseudonymOf(request.ip), deps.limits.network), reply);
    if (request.method !== 'GET') deps.backpressure.refuseWhenFull();
    done();
  } catch (error) {
    done(error as Error);
  }
}

/** Tells in the headers what is left of a limit, and refuses where nothing is. */
export function limitRequest({ allowed, limit, remaining, resetSeconds }: Verdict, reply: FastifyReply): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
  if (!allowed) throw new AppError('rate_limited', 'Too many requests', { retryAfterSeconds: resetSeconds });
}
