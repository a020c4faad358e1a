import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Backpressure } from './limits/backpressure.ts';
import { isLocalOrTrusted } from './limits/trusted-peers.ts';

export interface ProbeDeps {
  metrics: Metrics;
  backpressure: Backpressure;
  /** Whether /metrics answers here, to this machine only; false where it has a port of its own. */
  serveMetrics: boolean;
  /** Throws where the process cannot do its work. */
  checkReady(): Promise<void>;
}

/** Adds /healthz (the process lives), /readyz (it can do its work) and /metrics. */
export function addProbes(server: FastifyInstance, deps: ProbeDeps): void {
  const open = { schema: { hide: true }, config: { open: true }, exposeHeadRoute: true } as const; // monitors ask by HEAD
  server.get('/healthz', open, async () => ({ status: 'ok' }));
  server.get('/readyz', open, async () => {
    await deps.checkReady();
    return { status: 'ready', accepting: !deps.backpressure.full };
  });
  if (!deps.serveMetrics) return;
  server.get('/metrics', open, async (request, reply) => {
    const proxied = request.headers['x-forwarded-for'] !== undefined;
    if (proxied || !isLocalOrTrusted(request.socket, [])) throw new AppError('not_found');
    reply.type(deps.metrics.registry.contentType);
    return deps.metrics.registry.metrics();
  });
}
