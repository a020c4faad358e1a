import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;

/** Removes codes of signers that are over; run by cron as the worker role. */
export async function sweepSignerCodes({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const dayAgo = new Date(clock.now().getTime() - DAY_MS);
  await db.untenanted((tx) => tx.deleteFrom('submission_signer_codes').where('created_at', '<=', dayAgo).execute());
}
