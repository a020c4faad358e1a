import { sql } from 'kysely';
import { Type } from 'typebox';
import { endAccess, listGrantsOf, openAccess, type WhichGrant } from '../../../accounts/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts';
import { canonicalUuid, isUuid } from '../../../platform/ids.ts';
import type { DashboardDeps } from '../../deps.ts';
import { signedIn } from '../../signed-in.ts';
import { describeGrant, describeGrants, GrantReply, lately } from './grant-reply.ts';

const Id = Type.Object({ id: Type.String() });
const MISSING = 'No such emergency access';

/** Emergency access as those see it whose data it is about. */
export function breakGlassEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, clock, requireOwn } = deps;
  const ownGrant = async (customerId: number, id: string): Promise<WhichGrant> => {
    if (!isUuid(id)) throw new AppError('not_found', MISSING);
    await db.tenant([customerId], (tx) =>
      requireOwn(tx, customerId, sql<number | null>`find_break_glass_customer(${id})`, MISSING),
    );
    return { customerId, grantId: canonicalUuid(id) };
  };
  return [
    endpoint({
      method: 'GET',
      path: '/break_glass',
      operation: 'listEmergencyAccess',
      summary: 'Whoever runs the server and asked to read what you keep, the latest first',
      access: { scope: 'people', role: 'admin' },
      audit: null,
      reply: Type.Object({ data: Type.Array(GrantReply) }),
      handle: async ({ act: { customerId } }) =>
        describeGrants(deps, await listGrantsOf(db, { customerId, ...lately(deps) })),
    }),
    endpoint({
      method: 'POST',
      path: '/break_glass/:id/approve',
      operation: 'approveEmergencyAccess',
      summary: 'Let an operator read what you keep, for as long as they asked',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'break-glass.opened',
      params: Id,
      reply: GrantReply,
      async handle({ act, caller, params }) {
        const which = await ownGrant(act.customerId, params.id);
        const { userId } = signedIn(caller).person;
        return describeGrant(deps, await openAccess({ db, clock }, act, which, { kind: 'customer', userId }));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/break_glass/:id/end',
      operation: 'endEmergencyAccess',
      summary: 'End emergency access at once, or refuse it',
      access: { scope: 'people', role: 'admin' },
      audit: 'break-glass.ended',
      params: Id,
      reply: Type.Object({}),
      async handle({ act, params }) {
        await endAccess({ db, clock }, act, await ownGrant(act.customerId, params.id), 'customer');
        return {};
      },
    }),
  ];
}
