import { type Static, Type } from 'typebox';
import { type Grant, openReason, stateOf } from '../../../accounts/index.ts';
import { keysIfAny } from '../../../email/index.ts';
import type { DashboardDeps } from '../../deps.ts';
import { Moment, MomentOrNull, momentOf, TextOrNull } from '../reply-parts.ts';

export const GrantReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  customer: Type.Object({ id: Type.Integer(), name: Type.String() }),
  operator: Type.Object({ id: Type.String(), email: Type.String() }),
  reason: TextOrNull,
  minutes: Type.Integer(),
  state: Type.Enum(['asked', 'lapsed', 'open', 'expired', 'ended']),
  asked_at: Moment,
  opened_at: MomentOrNull,
  opened_by: Type.Union([Type.Enum(['operator', 'customer', 'code']), Type.Null()]),
  expires_at: MomentOrNull,
  ended_at: MomentOrNull,
  ended_by: Type.Union([Type.Enum(['operator', 'customer', 'cli']), Type.Null()]),
});

/** Emergency access as replies write it, with its reason. */
export async function describeGrant(deps: DashboardDeps, grant: Grant): Promise<Static<typeof GrantReply>> {
  return {
    id: grant.id,
    customer: { id: grant.customerId, name: grant.customerName },
    operator: { id: grant.operatorId, email: grant.operatorEmail },
    reason: (await keysIfAny(deps.vault, grant.customerId)) === null ? null : await openReason(deps, grant),
    minutes: grant.minutes,
    state: stateOf(grant, deps.clock.now()),
    asked_at: grant.askedAt.toISOString(),
    opened_at: momentOf(grant.openedAt),
    opened_by: grant.openedByKind,
    expires_at: momentOf(grant.expiresAt),
    ended_at: momentOf(grant.endedAt),
    ended_by: grant.endedByKind,
  };
}

const SHOWN_DAYS = 400;

/** The time of which grants are shown. */
export function lately({ clock }: DashboardDeps): { from: Date; to: Date } {
  const now = clock.now().getTime();
  return { from: new Date(now - SHOWN_DAYS * 86_400_000), to: new Date(now + 86_400_000) };
}

/** Several of them. */
export async function describeGrants(
  deps: DashboardDeps,
  grants: Grant[],
): Promise<{ data: Static<typeof GrantReply>[] }> {
  const data: Static<typeof GrantReply>[] = [];
  for (const grant of grants) data.push(await describeGrant(deps, grant));
  return { data };
}
