import { sql } from 'kysely';
import { Type } from 'typebox';
import { endSession, endSessions, listSessions, recordAct } from '../../accounts/index.ts';
import { AppError } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import type { DashboardDeps } from '../deps.ts';
import { signedIn, whoOf } from '../signed-in.ts';
import { Moment } from './reply-parts.ts';

const MISSING = 'No such session';

/** Where somebody is signed in, and how that ends elsewhere. */
export function ownSessionEndpoints({ db, clock, sessions, requireOwn }: DashboardDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/sessions',
      operation: 'listOwnSessions',
      summary: 'Where you are signed in',
      access: { scope: 'people', role: 'any' },
      audit: null,
      reply: Type.Object({
        data: Type.Array(
          Type.Object({
            id: Type.String(),
            agent: Type.String(),
            created_at: Moment,
            seen_at: Moment,
            current: Type.Boolean(),
          }),
        ),
      }),
      async handle({ caller }) {
        const person = signedIn(caller);
        const open = await db.tenant([person.customerId], (tx) => listSessions(tx, clock, whoOf(person)));
        return {
          data: open.map(({ id, agent, createdAt, seenAt }) => ({
            id,
            agent,
            created_at: createdAt.toISOString(),
            seen_at: seenAt.toISOString(),
            current: id === person.person.sessionId,
          })),
        };
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/sessions/:id',
      operation: 'endOwnSession',
      summary: 'Sign out elsewhere',
      access: { scope: 'people', role: 'any' },
      audit: 'session.ended',
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({}),
      async handle({ caller, act, params }) {
        const person = signedIn(caller);
        if (!isUuid(params.id)) throw new AppError('not_found', MISSING);
        const id = canonicalUuid(params.id);
        await db.tenant([person.customerId], async (tx) => {
          await requireOwn(tx, person.customerId, sql<number | null>`find_session_customer(${id})`, MISSING);
          if (!(await endSession(tx, clock, whoOf(person), id))) throw new AppError('not_found', MISSING);
          await recordAct(tx, clock, act, { target: id });
        });
        sessions.forget(person.person.userId);
        return {};
      },
    }),
    endpoint({
      method: 'POST',
      path: '/sessions/end_others',
      operation: 'endOtherSessions',
      summary: 'Sign out everywhere but here',
      access: { scope: 'people', role: 'any' },
      audit: 'session.others-ended',
      reply: Type.Object({ ended: Type.Integer() }),
      async handle({ caller, act }) {
        const person = signedIn(caller);
        const ended = await db.tenant([person.customerId], async (tx) => {
          const count = await endSessions(tx, clock, whoOf(person), person.person.sessionId);
          await recordAct(tx, clock, act, { details: { sessions: count } });
          return count;
        });
        sessions.forget(person.person.userId);
        return { ended };
      },
    }),
  ];
}
