import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import '../tables.ts';

/** Deletes sandbox mail that is older than its retention; run by cron as the worker role. */
export async function sweepSandbox({ db, clock }: { db: Database; clock: Clock }, days: number): Promise<void> {
  const before = new Date(clock.now().getTime() - days * 24 * 3600_000);
  await db.untenanted((tx) => tx.deleteFrom('sandbox_messages').where('id', '<', firstIdAt(before)).execute());
}
