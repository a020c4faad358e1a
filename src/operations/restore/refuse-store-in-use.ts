import type { BlobStore } from '../../platform/blob/blob-store.ts';
import { readBlobLists } from '../backup/index.ts';
import type { Chosen } from './choose.ts';

/**
 * A server removes the files that its database does not know: beside another one on the same store, those of the other
 * would be gone after two days. What an earlier try has put there is of the backup, and younger than it.
 */
export async function refuseStoreInUse(chosen: Chosen, store: BlobStore): Promise<void> {
  const backedUpAt = new Date(chosen.newest.restorable_until);
  const blobs = await readBlobLists(chosen.place, chosen.manifests);
  for await (const { id, writtenAt } of store.list()) {
    if (blobs.has(id) && writtenAt > backedUpAt) continue;
    throw new Error(
      `CAREPOST_BLOB_URL leads to a store that is in use (it holds file ${id}): name a bucket or prefix of its own, ` +
        'or add --same-store where no other server will ever work on it',
    );
  }
}
