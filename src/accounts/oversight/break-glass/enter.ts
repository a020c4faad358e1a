import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { recordAct } from '../../audit/record.ts';
import { INSTALLATION } from '../../audit/signing-key.ts';
import { readGrant, stateOf } from './grant.ts';
import type { WhichGrant } from './open.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

interface Whose {
  userId: string;
  sessionId: string;
}

/** Lets a session of whoever asked read by an open grant. */
export async function enterCustomer({ db, clock }: Deps, act: Act, whose: Whose, which: WhichGrant): Promise<void> {
  const { customerId, grantId } = which;
  await db.tenant([INSTALLATION, customerId], async (tx) => {
    const grant = await readGrant(tx, grantId);
    if (grant?.operatorId !== whose.userId) throw new AppError('forbidden', 'Somebody else asked for it');
    if (stateOf(grant, clock.now()) !== 'open') throw new AppError('conflict', 'It is not open');
    await tx
      .updateTable('user_sessions')
      .set({ grant_id: grantId })
      .where('customer_id', '=', INSTALLATION)
      .where('id', '=', whose.sessionId)
      .execute();
    await recordAct(tx, clock, act, { target: grantId, details: { customer: customerId } });
    await recordAct(tx, clock, { ...act, customerId }, { target: grantId });
  });
}

/** Takes a session back to what is the operator's own; the grant stays open for another time. */
export async function leaveCustomer({ db, clock }: Deps, act: Act, { sessionId }: Whose): Promise<void> {
  await db.tenant([INSTALLATION], async (tx) => {
    await tx
      .updateTable('user_sessions')
      .set({ grant_id: null })
      .where('customer_id', '=', INSTALLATION)
      .where('id', '=', sessionId)
      .execute();
    await recordAct(tx, clock, act, {});
  });
}
