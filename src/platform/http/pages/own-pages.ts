import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/**
 * Throws where a browser says that a page of another site makes it call. Reading may also begin in the address line
 * (`none`); whatever changes something must come from a page of ours.
 */
export function requireOwnPage(request: FastifyRequest, publicUrl: string): void {
  const { headers, method } = request;
  const site = headers['sec-fetch-site'];
  const isOwnSite = site === undefined || site === 'same-origin' || (site === 'none' && method === 'GET');
  if (!isOwnSite || (method !== 'GET' && !isOwnOrigin(request, publicUrl))) {
    throw new AppError('forbidden', 'Only pages of this server may do this');
  }
}

function isOwnOrigin({ headers, protocol, host }: FastifyRequest, publicUrl: string): boolean {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(publicUrl).origin || origin === `${protocol}://${host}`) return true;
  // A page that sends no referrer may leave its origin out as well.
  return origin === 'null' && headers['sec-fetch-site'] === 'same-origin';
}

/** Throws unless a request that changes something carries the token that only our own pages can read. */
export function requireCsrfToken({ headers, method }: FastifyRequest, csrf: string): void {
  if (method === 'GET') return;
  const [given, wanted] = [Buffer.from(String(headers['x-csrf-token'] ?? '')), Buffer.from(csrf)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new AppError('forbidden', 'The header x-csrf-token is missing or belongs to another session');
  }
}
