import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { setUpUser } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Area } from '../platform/http/area.ts';
import { publicEndpoint } from '../platform/http/endpoint.ts';
import { sendPage } from '../platform/http/send-page.ts';
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
