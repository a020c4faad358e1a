import { sql } from 'kysely';
import { listTenants, notHeld, type RetentionTimes, retentionOf, shareHolds } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;

/**
 * Deletes sandbox mail that is older than its retention and not held; run by cron as the worker role. Files lose their
 * rows with it, and the sweep of orphans takes them.
 */
export async function sweepSandbox(
  { db, clock }: { db: Database; clock: Clock },
  operator: RetentionTimes,
): Promise<void> {
  for (const customerId of await listTenants(db)) {
    await db.tenant([customerId], async (tx) => {
      const { sandboxDays } = await retentionOf(tx, customerId, operator);
      await deleteBefore(tx, customerId, firstIdAt(new Date(clock.now().getTime() - sandboxDays * DAY_MS)));
    });
  }
}

async function deleteBefore(tx: Tx, customerId: number, end: string): Promise<void> {
  await shareHolds(tx, customerId);
  const gone = await tx
    .deleteFrom('sandbox_messages')
    .where('customer_id', '=', customerId)
    .where('id', '<', end)
    .where(notHeld(customerId, sql`array[message_id]`, sql`recipient_indexes`))
    .returning('blob_id')
    .execute();
  const files = gone.flatMap(({ blob_id: blobId }) => (blobId === null ? [] : [blobId]));
  if (files.length === 0) return;
  await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', 'in', files).execute();
}
