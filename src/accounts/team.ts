import { sql } from 'kysely';
import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Role } from '../platform/http/access.ts';
import type { OwnershipCheck } from '../platform/http/ownership.ts';
import { canonicalUuid, isUuid } from '../platform/ids.ts';
import { revokeKeysOf } from './api-keys.ts';
import { recordAct } from './audit/record.ts';
import './tables.ts';

/** The roles that somebody of a customer can have. */
export const TEAM_ROLES = ['owner', 'admin', 'editor', 'reader'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** Somebody who works for a customer, has been invited to, or once did. */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
  state: 'invited' | 'active' | 'removed';
  createdAt: Date;
  removedAt: Date | null;
  lastSignInAt: Date | null;
  /** Whether a second factor is set up. */
  hasFactor: boolean;
  /** How many keys in force they made. */
  keys: number;
}

/** Everybody of a customer, those who were removed last. */
export async function listTeam(tx: Tx, customerId: number): Promise<Member[]> {
  const { rows } = await selectMembers(customerId).execute(tx);
  return rows;
}

/** One of them: 404 where there is nobody of that id, 403 where they are another customer's. */
export async function findMember(tx: Tx, requireOwn: OwnershipCheck, customerId: number, id: string): Promise<Member> {
  const missing = 'No such person';
  if (!isUuid(id)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, sql<number | null>`find_user_customer(${id})`, missing);
  const found = (await listTeam(tx, customerId)).find((member) => member.id === canonicalUuid(id));
  if (found === undefined) throw new AppError('not_found', missing);
  return found;
}

/** Who changes the team: their own id and role. */
export interface TeamChange {
  userId: string;
  role: Role;
}

/**
 * Begins a change of the team. Whoever changes one of it waits for whoever changes another, so that two owners cannot
 * take each other away; and what somebody may do is what their own row says by then. Answers who they are by that row.
 */
export async function lockTeam(
  tx: Tx,
  customerId: number,
  { userId }: TeamChange,
  least: 'admin' | 'owner',
): Promise<TeamChange> {
  await sql`select from users where customer_id = ${customerId} order by id for update`.execute(tx);
  const own = await tx
    .selectFrom('users')
    .select(['role', 'disabled_at'])
    .where('customer_id', '=', customerId)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (own === undefined || own.disabled_at !== null) throw new AppError('signed_out');
  if (own.role !== 'owner' && own.role !== least) throw new AppError('forbidden');
  return { userId, role: own.role };
}

/** Throws unless somebody may be changed by somebody: owners by owners only, and nobody by themselves. */
export function requireMayChange(by: TeamChange, member: Member): void {
  if (member.id === by.userId) throw new AppError('conflict', 'Nobody changes their own place in the team');
  if (member.role === 'owner' && by.role !== 'owner') throw new AppError('forbidden', 'Only an owner changes an owner');
  if (member.state === 'removed') throw new AppError('conflict', 'This person was removed');
}

/** Throws where a role cannot be given by somebody: owners are made by owners. */
export function requireMayGive(by: TeamChange, role: TeamRole): void {
  if (role === 'owner' && by.role !== 'owner') throw new AppError('forbidden', 'Only an owner makes somebody an owner');
}

/** Throws where nobody would be left who could sign in as an owner. */
export async function requireOtherOwner(tx: Tx, customerId: number, member: Member): Promise<void> {
  if (member.role !== 'owner') return;
  const others = (await listTeam(tx, customerId)).filter(
    ({ id, role, state }) => id !== member.id && role === 'owner' && state === 'active',
  );
  if (others.length === 0) throw new AppError('conflict', 'The last owner stays: make somebody else an owner first');
}

interface Deps {
  clock: Clock;
  act: Act;
  requireOwn: OwnershipCheck;
}

/**
 * Gives somebody another role, from the next request on. The keys that they made end where they could make none any
 * more.
 */
export async function changeRole(
  tx: Tx,
  { clock, act, requireOwn }: Deps,
  caller: TeamChange,
  { id, role }: { id: string; role: TeamRole },
): Promise<Member> {
  const { customerId } = act;
  const by = await lockTeam(tx, customerId, caller, 'admin');
  const member = await findMember(tx, requireOwn, customerId, id);
  requireMayChange(by, member);
  requireMayGive(by, role);
  if (role !== 'owner') await requireOtherOwner(tx, customerId, member);
  await tx
    .updateTable('users')
    .set({ role })
    .where('customer_id', '=', customerId)
    .where('id', '=', member.id)
    .execute();
  const isBelow = role !== 'owner' && role !== 'admin';
  const keys = isBelow ? await revokeKeysOf(tx, clock, { customerId, userId: member.id }) : 0;
  await recordAct(tx, clock, act, { target: member.id, details: { from: member.role, to: role, keys } });
  return { ...member, role, keys: member.keys - keys };
}

function selectMembers(customerId: number) {
  return sql<Member>`
    select u.id, u.name, u.email, u.role, u.created_at as "createdAt", u.disabled_at as "removedAt", f.yes as "hasFactor",
      case when u.disabled_at is not null then 'removed' when u.password_hash is null and not f.yes then 'invited'
        else 'active' end as state,
      (select max(s.factor_at) from user_sessions s where s.customer_id = u.customer_id and s.user_id = u.id)
        as "lastSignInAt",
      (select count(*)::int from api_keys k where k.customer_id = u.customer_id and k.created_by = u.id
        and k.revoked_at is null) as keys
    from users u
    cross join lateral (select
      exists (select from user_totp t where t.customer_id = u.customer_id and t.user_id = u.id
        and t.confirmed_at is not null)
      or exists (select from user_passkeys p where p.customer_id = u.customer_id and p.user_id = u.id) as yes) f
    where u.customer_id = ${customerId} order by u.disabled_at nulls first, u.created_at, u.id`;
}
