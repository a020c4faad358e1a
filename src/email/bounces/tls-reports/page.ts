import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { limitNetwork, type NetworkLimit } from '../../../platform/http/limits/limit-network.ts';
import { readTlsReport } from './read.ts';
import { type KeepDeps, keepTlsReport } from './store.ts';
import { LARGEST_REPORT, packingOf, unpack } from './unpack.ts';

/** Whoever reports does so once a day for each of our names. */
const RATE = { count: 60, windowSeconds: 60 };

type Deps = NetworkLimit & KeepDeps;

/** Adds POST /tlsrpt, where other installations report how their TLS with this one went (RFC 8460 5.3). */
export function addTlsReportPage(server: FastifyInstance, deps: Deps): void {
  const limit = {
    ...deps,
    limits: { network: RATE },
    pseudonymOf: (address: string) => `tlsrpt ${deps.pseudonymOf(address)}`,
  };
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: LARGEST_REPORT },
      async (_request: FastifyRequest, body: Buffer) => body,
    );
    scope.addHook('onRequest', (request, reply, done) => limitNetwork(limit, request, reply, done));
    scope.route({
      method: 'POST',
      url: '/tlsrpt',
      config: { open: true },
      schema: { hide: true },
      async handler(request, reply) {
        const packing = packingOf(request.headers['content-type'] ?? '');
        if (packing === null) throw new AppError('unsupported_media_type');
        const text = await unpack(packing, (request.body as Buffer | undefined) ?? Buffer.alloc(0));
        await keepTlsReport(deps, readTlsReport(text));
        return reply.code(201).send();
      },
    });
  });
}
