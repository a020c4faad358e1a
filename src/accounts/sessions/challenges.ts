import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PersonCaller } from '../../platform/http/access.ts';
import { CHALLENGE_MS } from './rules.ts';
import '../tables.ts';

/** Keeps what a passkey has to answer in this session, in place of any before. */
export async function keepChallenge(tx: Tx, clock: Clock, caller: PersonCaller, challenge: string): Promise<void> {
  await tx
    .updateTable('user_sessions')
    .set({ challenge, challenge_at: clock.now() })
    .where('customer_id', '=', caller.customerId)
    .where('id', '=', caller.person.sessionId)
    .execute();
}

/** What a passkey has to answer in this session; it is asked for once, and waits for five minutes. */
export async function takeChallenge(tx: Tx, clock: Clock, caller: PersonCaller): Promise<string | null> {
  const { customerId, person } = caller;
  const kept = await tx
    .selectFrom('user_sessions')
    .select(['challenge', 'challenge_at'])
    .where('customer_id', '=', customerId)
    .where('id', '=', person.sessionId)
    .forUpdate()
    .executeTakeFirst();
  if (kept === undefined || kept.challenge === null || kept.challenge_at === null) return null;
  await tx
    .updateTable('user_sessions')
    .set({ challenge: null, challenge_at: null })
    .where('customer_id', '=', customerId)
    .where('id', '=', person.sessionId)
    .execute();
  return kept.challenge_at.getTime() + CHALLENGE_MS > clock.now().getTime() ? kept.challenge : null;
}
