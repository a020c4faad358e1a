import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import '../tables.ts';

/**
 * Deletes sandbox mail that is older than its retention; run by cron as the worker role. Files lose
 * their rows with it, and the sweep of orphans takes them.
 */
export async function sweepSandbox({ db, clock }: { db: Database; clock: Clock }, days: number): Promise<void> {
  const end = firstIdAt(new Date(clock.now().getTime() - days * 24 * 3600_000));
  const owners = await db.untenanted((tx) =>
    tx.selectFrom('sandbox_messages').select('customer_id').distinct().where('id', '<', end).execute(),
  );
  for (const { customer_id: customerId } of owners) {
    await db.tenant([customerId], (tx) => deleteBefore(tx, customerId, end));
  }
}

async function deleteBefore(tx: Tx, customerId: number, end: string): Promise<void> {
  const gone = await tx
    .deleteFrom('sandbox_messages')
    .where('customer_id', '=', customerId)
    .where('id', '<', end)
    .returning('blob_id')
    .execute();
  const files = gone.flatMap(({ blob_id: blobId }) => (blobId === null ? [] : [blobId]));
  if (files.length === 0) return;
  await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', 'in', files).execute();
}
