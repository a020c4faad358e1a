import type { FastifyInstance } from 'fastify';
import { limitNetwork, type NetworkLimit } from '../../../platform/http/limits/limit-network.ts';
import type { LoadSealKey } from '../seal-key.ts';
import { loadVerifyScript } from './load-script.ts';
import { verifyPage } from './verify-page.ts';

interface Deps extends NetworkLimit {
  loadSealKey: LoadSealKey;
}

/** Adds /verify: one page without anything beside it, where anybody checks certificates. */
export function addVerifyPage(server: FastifyInstance, deps: Deps): void {
  let script: Promise<string> | undefined;
  server.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => limitNetwork(deps, request, reply, done));
    scope.route({
      url: '/verify',
      method: ['GET', 'HEAD'],
      config: { open: true },
      schema: { hide: true },
      async handler(_request, reply) {
        script ??= loadVerifyScript();
        const { fingerprint, earlier } = await deps.loadSealKey();
        const { html, policy } = verifyPage(await script, [fingerprint, ...earlier]);
        return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
      },
    });
  });
}
