import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { setUpUser } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Area } from '../platform/http/area.ts';
import { publicEndpoint } from '../platform/http/endpoint.ts';
import { homePage, setupPage } from './pages.ts';

const SetupBody = Type.Object({ token: Type.String({ maxLength: 100 }), password: Type.String() });

/** What the dashboard's own pages call; everything else they do by the areas' routes. */
export function createDashboardArea(deps: { db: Database; clock: Clock }): Area {
  return {
    name: 'dashboard',
    bases: ['/app/api'],
    headerForms: [],
    errorSchema: Type.Object({ error: Type.String() }),
    errorBody: (error) => ({ error: error.message }),
    endpoints: [
      publicEndpoint({
        method: 'POST',
        path: '/setup',
        operation: 'setUpUser',
        summary: 'Set the first password of a user by a setup link',
        access: 'public',
        audit: 'user.set-up',
        body: SetupBody,
        reply: Type.Object({}),
        async handle({ body, requestId }) {
          await setUpUser(deps, { ...body, requestId });
          return {};
        },
      }),
    ],
  };
}

/** Adds the pages under /app; / leads there. */
export function addDashboardPages(server: FastifyInstance): void {
  const open = { schema: { hide: true }, config: { open: true } } as const;
  server.get('/', open, (_request, reply) => reply.redirect('/app'));
  server.get('/app', open, (_request, reply) => sendPage(reply, homePage));
  server.get('/app/setup', open, (_request, reply) => sendPage(reply, setupPage));
}

/** Sends a page that can load nothing from elsewhere, send nothing elsewhere and be framed by nobody. */
function sendPage(reply: FastifyReply, page: (nonce: string) => string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply.header('content-security-policy', policy.join('; ')).type('text/html; charset=utf-8').send(page(nonce));
}
