import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { PersonCaller } from '../../platform/http/access.ts';
import { recordAct } from '../audit/record.ts';
import { holdPerson } from '../hold-person.ts';
import type { SessionSecrets } from '../sessions/begin-session.ts';
import { endSession } from '../sessions/end-sessions.ts';
import { proveSession } from '../sessions/prove-session.ts';
import { MOST_TRIES } from '../sessions/rules.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

type Verdict = { secrets: SessionSecrets } | { triesLeft: number };

/**
 * Judges what somebody shows as a second factor. What is right gives the session a new token; what is wrong counts, and
 * ends the session at last. Both are written down.
 */
export async function showFactor(
  { db, clock }: Deps,
  act: Act,
  { customerId, person }: PersonCaller,
  { failed, isRight }: { failed: string; isRight(tx: Tx): Promise<boolean> },
): Promise<SessionSecrets> {
  const { userId, sessionId } = person;
  const who = { customerId, userId };
  const verdict = await db.tenant([customerId], async (tx): Promise<Verdict> => {
    await holdPerson(tx, who); // before their sessions, in the order of whoever ends them
    const tries = await triesOf(tx, customerId, sessionId);
    if (await isRight(tx)) {
      const secrets = await proveSession(tx, clock, { customerId, sessionId });
      await recordAct(tx, clock, act, { target: userId });
      return { secrets };
    }
    await tx
      .updateTable('user_sessions')
      .set({ tries: tries + 1 })
      .where('customer_id', '=', customerId)
      .where('id', '=', sessionId)
      .execute();
    if (tries + 1 >= MOST_TRIES) await endSession(tx, clock, who, sessionId);
    await recordAct(tx, clock, { ...act, action: failed }, { target: userId });
    return { triesLeft: MOST_TRIES - tries - 1 };
  });
  if ('secrets' in verdict) return verdict.secrets;
  throw refusalOf(verdict.triesLeft);
}

/** How often somebody was wrong; one transaction at a time counts at a session. */
async function triesOf(tx: Tx, customerId: number, sessionId: string): Promise<number> {
  const row = await tx
    .selectFrom('user_sessions')
    .select('tries')
    .where('customer_id', '=', customerId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('signed_out');
  return row.tries;
}

function refusalOf(triesLeft: number): AppError {
  if (triesLeft <= 0) return new AppError('signed_out', 'That was wrong too often. Sign in again');
  const rule = `is not right; ${triesLeft === 1 ? 'one try is' : `${triesLeft} tries are`} left`;
  return new AppError('invalid_request', `code: ${rule}`, { fields: { code: [rule] } });
}
