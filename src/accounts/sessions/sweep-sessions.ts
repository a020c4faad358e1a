import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import '../tables.ts';

/** How long it can be told where somebody was signed in. */
const KEPT_MS = 30 * 24 * 3600_000;

/** Deletes sessions that are long over; run by cron as the worker role. */
export async function sweepSessions({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await db.untenanted((tx) => tx.deleteFrom('user_sessions').where('expires_at', '<', before).execute());
}
