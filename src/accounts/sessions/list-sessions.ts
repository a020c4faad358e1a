import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Who } from './begin-session.ts';
import { IDLE_MS } from './rules.ts';
import '../tables.ts';

export interface OpenSession {
  id: string;
  agent: string;
  createdAt: Date;
  seenAt: Date;
}

/** The sessions of a person that are open, the one used last first. */
export async function listSessions(tx: Tx, clock: Clock, who: Who): Promise<OpenSession[]> {
  const now = clock.now();
  const rows = await tx
    .selectFrom('user_sessions')
    .select(['id', 'agent', 'created_at', 'seen_at'])
    .where('customer_id', '=', who.customerId)
    .where('user_id', '=', who.userId)
    .where('ended_at', 'is', null)
    .where('factor_at', 'is not', null)
    .where('expires_at', '>', now)
    .where('seen_at', '>', new Date(now.getTime() - IDLE_MS))
    .orderBy('seen_at', 'desc')
    .execute();
  return rows.map((row) => ({ id: row.id, agent: row.agent, createdAt: row.created_at, seenAt: row.seen_at }));
}
