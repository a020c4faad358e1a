import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { recordAct } from '../../audit/record.ts';
import { INSTALLATION } from '../../audit/signing-key.ts';
import { stateOf } from './grant.ts';
import { holdGrant, type WhichGrant } from './open.ts';
import { tellOfGrant } from './tell.ts';
import '../tables.ts';

/** Ends emergency access before its time, or withdraws what was asked for. It cannot be opened again. */
export async function endAccess(
  { db, clock }: { db: Database; clock: Clock },
  act: Act,
  { customerId, grantId }: WhichGrant,
  by: 'operator' | 'customer' | 'cli',
): Promise<void> {
  await db.tenant([INSTALLATION, customerId], async (tx) => {
    const grant = await holdGrant(tx, { customerId, grantId });
    const state = stateOf(grant, clock.now());
    if (state !== 'open' && state !== 'asked') throw new AppError('conflict', 'It is over already');
    await tx
      .updateTable('break_glass_grants')
      .set({ ended_at: clock.now(), ended_by_kind: by, ended_by: act.actor.id })
      .where('customer_id', '=', customerId)
      .where('id', '=', grantId)
      .execute();
    const trace = { target: grantId, details: { by } };
    await recordAct(tx, clock, { ...act, customerId: INSTALLATION }, trace);
    await recordAct(tx, clock, { ...act, customerId }, trace);
    await tellOfGrant(tx, { customerId, grantId, what: 'ended' });
  });
}
