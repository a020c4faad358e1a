import { type Static, Type } from 'typebox';
import {
  changeRole,
  endPersonIn,
  findMember,
  listTeam,
  lockTeam,
  type Member,
  readName,
  requireMayChange,
  requireMayGive,
  requireOtherOwner,
  resetFactorsIn,
  TEAM_ROLES,
} from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { invite, inviteAgain } from '../invite.ts';
import { signedIn } from '../signed-in.ts';
import { Moment, MomentOrNull, momentOf } from './reply-parts.ts';

const Role = Type.Enum([...TEAM_ROLES]);
const Id = Type.Object({ id: Type.String() });

const MemberReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  email: Type.String(),
  role: Type.String(),
  state: Type.Enum(['invited', 'active', 'removed']),
  created_at: Moment,
  removed_at: MomentOrNull,
  last_sign_in_at: MomentOrNull,
  has_factor: Type.Boolean(),
  keys: Type.Integer({ description: 'keys in force that they made' }),
});

const Invited = Type.Object({
  id: Type.String({ format: 'uuid' }),
  setup_url: Type.Optional(Type.String({ description: 'in the sandbox, where no mail leaves' })),
});

/** Who works here, and what each of them may do. */
export function teamEndpoints(deps: DashboardDeps): Endpoint[] {
  const { db, clock, idempotency, requireOwn, sessions } = deps;
  return [
    endpoint({
      method: 'GET',
      path: '/team',
      operation: 'listTeam',
      summary: 'Everybody who works here, was invited to, or once did',
      access: { scope: 'people', role: 'reader' },
      audit: null,
      reply: Type.Object({ data: Type.Array(MemberReply) }),
      handle: ({ act: { customerId } }) =>
        db.tenant([customerId], async (tx) => ({ data: (await listTeam(tx, customerId)).map(describe) })),
    }),
    endpoint({
      method: 'POST',
      path: '/team',
      operation: 'inviteMember',
      summary: 'Invite somebody by mail',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'user.invited',
      status: 201,
      body: Type.Object({
        email: Type.String({ maxLength: 254 }),
        name: Type.String({ maxLength: 200 }),
        role: Role,
      }),
      idempotent: true,
      reply: Invited,
      async handle({ act, caller, body, idempotency: claim }) {
        const { person } = signedIn(caller);
        const wanted = { email: body.email.trim(), name: readName('name', body.name), role: body.role };
        const invited = await invite(deps, act, wanted, {
          requireMay: async (tx) => requireMayGive(await lockTeam(tx, act.customerId, person, 'admin'), body.role),
          writeWith: (tx, made) => idempotency.keepWith(tx, claim, { status: 201, body: toInvited(made) }),
        });
        return toInvited(invited);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/team/:id/invite_again',
      operation: 'inviteMemberAgain',
      summary: 'Send a new invitation to somebody who has not set a password yet; the one before ends',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'user.invited-again',
      params: Id,
      idempotent: true,
      reply: Invited,
      async handle({ act, caller, params, idempotency: claim }) {
        const { customerId } = act;
        const { person } = signedIn(caller);
        const find = async (tx: Tx) => {
          const by = await lockTeam(tx, customerId, person, 'admin');
          const member = await findMember(tx, requireOwn, customerId, params.id);
          requireMayChange(by, member);
          if (member.state !== 'invited') throw new AppError('conflict', 'This person has set a password already');
          return member;
        };
        const invited = await inviteAgain(deps, act, find, (tx, made) =>
          idempotency.keepWith(tx, claim, { status: 200, body: toInvited(made) }),
        );
        return toInvited(invited);
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/team/:id',
      operation: 'changeMemberRole',
      summary: 'Give somebody another role',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'user.role-changed',
      params: Id,
      body: Type.Object({ role: Role }),
      reply: MemberReply,
      async handle({ act, caller, params, body }) {
        const wanted = { id: params.id, role: body.role };
        const changed = await db.tenant([act.customerId], (tx) =>
          changeRole(tx, { clock, act, requireOwn }, signedIn(caller).person, wanted),
        );
        sessions.forget(changed.id);
        return describe(changed);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/team/:id',
      operation: 'removeMember',
      summary: 'Remove somebody: their sessions and keys end everywhere within five seconds',
      access: { scope: 'people', role: 'admin', fresh: true },
      audit: 'user.removed',
      params: Id,
      reply: Type.Object({}),
      async handle({ act, caller, params }) {
        const { customerId } = act;
        const member = await db.tenant([customerId], async (tx) => {
          const by = await lockTeam(tx, customerId, signedIn(caller).person, 'admin');
          const found = await findMember(tx, requireOwn, customerId, params.id);
          requireMayChange(by, found);
          await requireOtherOwner(tx, customerId, found);
          await endPersonIn(tx, clock, act, found.id);
          return found;
        });
        sessions.forget(member.id);
        return {};
      },
    }),
    endpoint({
      method: 'POST',
      path: '/team/:id/reset_factors',
      operation: 'resetMemberFactors',
      summary: 'Let somebody who lost every second factor set up a new one at the next sign-in',
      access: { scope: 'people', role: 'owner', fresh: true },
      audit: 'user.factors-reset',
      params: Id,
      reply: Type.Object({}),
      async handle({ act, caller, params }) {
        const { customerId } = act;
        const member = await db.tenant([customerId], async (tx) => {
          const by = await lockTeam(tx, customerId, signedIn(caller).person, 'owner');
          const found = await findMember(tx, requireOwn, customerId, params.id);
          requireMayChange(by, found);
          await resetFactorsIn(tx, clock, act, found.id);
          return found;
        });
        sessions.forget(member.id);
        return {};
      },
    }),
  ];
}

function toInvited({ id, setupUrl }: { id: string; setupUrl: string | null }): Static<typeof Invited> {
  return { id, ...(setupUrl === null ? {} : { setup_url: setupUrl }) };
}

function describe(member: Member): Static<typeof MemberReply> {
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    state: member.state,
    created_at: member.createdAt.toISOString(),
    removed_at: momentOf(member.removedAt),
    last_sign_in_at: momentOf(member.lastSignInAt),
    has_factor: member.hasFactor,
    keys: member.keys,
  };
}
