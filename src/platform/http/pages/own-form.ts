import type { FastifyRequest } from 'fastify';

/**
 * Whether a POST comes from a page of ours. Browsers say so in Sec-Fetch-Site; older ones in Origin, which reads `null`
 * since our pages send no referrer. Whoever sends neither is no browser that another site could use.
 */
export function isOwnForm({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return true;
  return origin === new URL(publicUrl).origin || URL.parse(origin)?.host === host;
}
