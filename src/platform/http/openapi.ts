import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance } from 'fastify';

const session = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-carepost',
  description: 'A session of the dashboard; what changes something also takes its secret as X-CSRF-Token',
} as const;

const bearer = { type: 'http', scheme: 'bearer', description: 'An API key with this scope' } as const;

// The page's own script is inline, but whatever it does stays on this server.
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Makes OpenAPI 3.1 of the very schemas that validate, at /openapi.json, and a page to read it at /docs. */
export async function addApiReference(server: FastifyInstance, { version }: { version: string }): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Carepost',
        version,
        description: 'Forms, marketing and email for health care. Send the API key as `Authorization: Bearer KEY`.',
      },
      components: { securitySchemes: { email: bearer, forms: bearer, marketing: bearer, session } },
    },
  });
  server.get('/openapi.json', { schema: { hide: true }, config: { open: true } }, () => server.swagger());
  let reading: Promise<FastifyInstance> | undefined;
  for (const url of ['/docs/', '/docs/js/scalar.js']) {
    server.get(url, { schema: { hide: true }, config: { open: true } }, async (request, reply) => {
      // The page looks for its script beside itself, and the server takes /docs and /docs/ for one.
      if (/^\/docs(?:\?|$)/.test(request.url)) return reply.redirect('/docs/');
      const { statusCode, headers, rawPayload } = await (await (reading ??= loadReference())).inject(url);
      reply.code(statusCode).headers(headers).header('content-security-policy', REFERENCE_POLICY);
      return reply.send(rawPayload);
    });
  }
}

/** The pages themselves, loaded with the first look at them: they take 58 MB, and few processes ever show them. */
async function loadReference(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const pages = fastify();
  await pages.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Carepost API reference',
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      mcp: { disabled: true },
      agent: { disabled: true },
    },
  });
  return pages;
}
