import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import type { SessionSecrets } from './begin-session.ts';
import '../tables.ts';

/** Notes that the second factor was shown just now. The session has another token from here on. */
export async function proveSession(
  tx: Tx,
  clock: Clock,
  { customerId, sessionId }: { customerId: number; sessionId: string },
): Promise<SessionSecrets> {
  const token = newSecret();
  const now = clock.now();
  const row = await tx
    .updateTable('user_sessions')
    .set({
      token_hash: hashSecret(token) as Buffer,
      factor_at: sql`coalesce(factor_at, ${now})`,
      fresh_at: now,
      seen_at: now,
      tries: 0,
      challenge: null,
      challenge_at: null,
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .returning('csrf')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('signed_out');
  return { token, csrf: row.csrf };
}
