import { Type } from 'typebox';
import {
  askForAccess,
  countBreakGlassCodes,
  endAccess,
  enterCustomer,
  leaveCustomer,
  listGrants,
  MOST_MINUTES,
  openAccess,
  requireGrantCustomer,
  type WhichGrant,
} from '../../../accounts/index.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import type { PersonCaller } from '../../../platform/http/access.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import { canonicalUuid, isUuid } from '../../../platform/ids.ts';
import type { DashboardDeps } from '../../deps.ts';
import { countFactor } from '../../sign-in-limits.ts';
import { signedIn } from '../../signed-in.ts';
import { describeGrant, describeGrants, GrantReply, lately } from './grant-reply.ts';

const Id = Type.Object({ id: Type.String() });
const OPERATOR = { scope: 'people', role: 'operator' } as const;

/** Emergency access as whoever runs the server asks for it, opens it and ends it. */
export function operatorBreakGlassEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, sessions, idempotency, installationKeys } = deps;
  const findGrant = async (id: string): Promise<WhichGrant> => {
    if (!isUuid(id)) throw new AppError('not_found', 'No such emergency access');
    return { customerId: await requireGrantCustomer(db, id), grantId: canonicalUuid(id) };
  };
  const openingOf = ({ person: { userId } }: PersonCaller, code: string | null) =>
    code === null
      ? ({ kind: 'operator', userId } as const)
      : ({ kind: 'code', userId, code, keys: installationKeys } as const);
  return [
    endpoint({
      method: 'GET',
      path: '/operator/break_glass',
      operation: 'listBreakGlass',
      summary: 'Emergency access to customers, the latest first, and how many codes are left',
      access: OPERATOR,
      audit: null,
      reply: Type.Object({ data: Type.Array(GrantReply), codes_left: Type.Integer() }),
      async handle() {
        const grants = await describeGrants(deps, await listGrants(db, lately(deps)));
        return { ...grants, codes_left: await db.untenanted(countBreakGlassCodes) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/operator/break_glass',
      operation: 'askForBreakGlass',
      summary: 'Ask to read what one customer keeps; a second person or a code opens it',
      access: { ...OPERATOR, fresh: true },
      audit: 'break-glass.asked',
      status: 201,
      body: Type.Object({
        customer_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
        reason: Type.String({ maxLength: 1000 }),
        minutes: Type.Integer({ minimum: 1, maximum: MOST_MINUTES }),
      }),
      idempotent: true,
      reply: Type.Object({ id: Type.String({ format: 'uuid' }) }),
      async handle({ act, body, idempotency: claim }) {
        const reason = body.reason.trim();
        if (reason.length < 10) throw invalidField('reason', 'takes at least 10 characters');
        const wanted = { customerId: body.customer_id, reason, minutes: body.minutes };
        const id = await askForAccess(deps, act, wanted, (tx, asked) =>
          idempotency.keepWith(tx, claim, { status: 201, body: { id: asked } }),
        );
        return { id };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/operator/break_glass/:id/open',
      operation: 'openBreakGlass',
      summary: 'Open what another operator asked for; or, with a code, what you asked for yourself',
      access: { ...OPERATOR, fresh: true },
      audit: 'break-glass.opened',
      params: Id,
      body: Type.Object({
        code: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
          description: 'null where a second person opens it',
        }),
      }),
      reply: GrantReply,
      async handle({ act, caller, params, body }) {
        const person = signedIn(caller);
        const which = await findGrant(params.id);
        const attempt = countFactor(deps, person.person.userId);
        const opened = await openAccess(deps, act, which, openingOf(person, body.code));
        attempt.forgive();
        return describeGrant(deps, opened);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/operator/break_glass/:id/enter',
      operation: 'enterBreakGlass',
      summary: 'Read as one of the customer in this session, until it ends or you leave',
      access: { ...OPERATOR, fresh: true },
      audit: 'break-glass.entered',
      params: Id,
      reply: Type.Object({}),
      async handle({ act, caller, params }) {
        const { person } = signedIn(caller);
        await enterCustomer(deps, act, person, await findGrant(params.id));
        sessions.forget(person.userId);
        return {};
      },
    }),
    endpoint({
      method: 'POST',
      path: '/operator/break_glass/leave',
      operation: 'leaveBreakGlass',
      summary: 'Go back to what is the operator’s own in this session',
      access: OPERATOR,
      audit: 'break-glass.left',
      reply: Type.Object({}),
      async handle({ act, caller }) {
        const { person } = signedIn(caller);
        await leaveCustomer(deps, act, person);
        sessions.forget(person.userId);
        return {};
      },
    }),
    endpoint({
      method: 'POST',
      path: '/operator/break_glass/:id/end',
      operation: 'endBreakGlass',
      summary: 'End emergency access of yours or of another operator',
      access: OPERATOR,
      audit: 'break-glass.ended',
      params: Id,
      reply: Type.Object({}),
      async handle({ act, params }) {
        await endAccess(deps, act, await findGrant(params.id), 'operator');
        return {};
      },
    }),
  ];
}
