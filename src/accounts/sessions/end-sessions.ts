import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Who } from './begin-session.ts';
import '../tables.ts';

/** Ends one session of a person; false where it was over or is somebody else's. Every node refuses it within five seconds. */
export async function endSession(tx: Tx, clock: Clock, who: Who, sessionId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_sessions')
    .set({ ended_at: clock.now() })
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all sessions of a person, but perhaps one; returns how many. */
export async function endSessions(tx: Tx, clock: Clock, who: Who, except: string | null = null): Promise<number> {
  let ended = tx
    .updateTable('user_sessions')
    .set({ ended_at: clock.now() })
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .where('ended_at', 'is', null);
  if (except !== null) ended = ended.where('id', '<>', except);
  return Number((await ended.executeTakeFirst()).numUpdatedRows);
}
