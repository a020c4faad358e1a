import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  blobStore: BlobStore;
  clock: Clock;
}

/** Deletes sandbox mail that is older than its retention; run by cron as the worker role. */
export async function sweepSandbox({ db, blobStore, clock }: Deps, days: number): Promise<void> {
  const end = firstIdAt(new Date(clock.now().getTime() - days * 24 * 3600_000));
  const large = await db.untenanted((tx) =>
    tx
      .selectFrom('sandbox_messages')
      .select('blob_id')
      .where('id', '<', end)
      .where('blob_id', 'is not', null)
      .execute(),
  );
  // Files go first: after a crash between the two, the rows still lead to them.
  for (const { blob_id: blobId } of large) await blobStore.remove(blobId as string);
  await db.untenanted((tx) => tx.deleteFrom('sandbox_messages').where('id', '<', end).execute());
}
