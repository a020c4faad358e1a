import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import { LONGEST_MS } from './rules.ts';
import '../tables.ts';

/** Somebody who may sign in. */
export interface Who {
  customerId: number;
  userId: string;
}

/** What a browser gets to know of its session. */
export interface SessionSecrets {
  token: string;
  csrf: string;
}

/** Begins a session in which no second factor was shown yet. */
export async function beginSession(tx: Tx, clock: Clock, who: Who, agent: string): Promise<SessionSecrets> {
  const [token, csrf] = [newSecret(), newSecret()];
  const now = clock.now();
  await tx
    .insertInto('user_sessions')
    .values({
      id: timeOrderedId(clock),
      customer_id: who.customerId,
      user_id: who.userId,
      token_hash: hashSecret(token) as Buffer,
      csrf,
      agent,
      created_at: now,
      seen_at: now,
      expires_at: new Date(now.getTime() + LONGEST_MS),
      factor_at: null,
      fresh_at: null,
      ended_at: null,
      challenge: null,
      challenge_at: null,
    })
    .execute();
  return { token, csrf };
}
