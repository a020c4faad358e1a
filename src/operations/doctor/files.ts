import { listCustomers } from '../../accounts/index.ts';
import { BlobMissing, type BlobStore } from '../../platform/blob/blob-store.ts';
import { openBlobStore } from '../../platform/blob/open-blob-store.ts';
import { type Database, withDatabase } from '../../platform/db/database.ts';
import { type Check, failed, ok } from './check.ts';

const FROM_EACH_END = 20;

/** Whether the files that the database knows are in the store: another store takes new ones without a word. */
export const files: Check = {
  name: 'files',
  needs: 'database',
  async look(bench) {
    const ids = await withDatabase(bench, 'app', listSome);
    const store = await openBlobStore(bench.config.blobUrl);
    const missing = await countMissing(store, ids);
    if (missing === 0) return [ok(`the oldest and newest files are in the store: ${ids.length} were looked for`)];
    return [
      failed(
        `${missing} of ${ids.length} files that were looked for are not in the store`,
        'check that CAREPOST_BLOB_URL leads to where they were put, or put them back from a backup',
      ),
    ];
  },
};

/** Ids go by time, so that these are found by them alone, however many there are. */
async function listSome(db: Database): Promise<string[]> {
  const customers = (await listCustomers(db)).map(({ id }) => id);
  return db.tenant(customers, async (tx) => {
    const firstBy = (order: 'asc' | 'desc') =>
      tx.selectFrom('blobs').select('id').orderBy('id', order).limit(FROM_EACH_END).execute();
    const rows = [...(await firstBy('asc')), ...(await firstBy('desc'))];
    return [...new Set(rows.map(({ id }) => id))];
  });
}

async function countMissing(store: BlobStore, ids: string[]): Promise<number> {
  let missing = 0;
  for (const id of ids) {
    try {
      await store.size(id);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      missing += 1;
    }
  }
  return missing;
}
