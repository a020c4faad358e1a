import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { Database } from '../../platform/db/database.ts';
import { countRemoved } from './remove-rows.ts';

const PAGE = 500;

/** Removes every file of a customer from the store, and then its row: what a crash leaves is found again. */
export async function removeFiles(
  { db, store }: { db: Database; store: BlobStore },
  customerId: number,
): Promise<void> {
  for (let page = PAGE; page === PAGE; ) {
    const rows = await db.tenant([customerId], (tx) =>
      tx.selectFrom('blobs').select('id').where('customer_id', '=', customerId).orderBy('id').limit(PAGE).execute(),
    );
    const ids = rows.map(({ id }) => id);
    for (const id of ids) await store.remove(id);
    page = ids.length;
    if (page === 0) return;
    await db.tenant([customerId], async (tx) => {
      await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', 'in', ids).execute();
      await countRemoved(tx, customerId, 'blobs', ids.length);
    });
  }
}
