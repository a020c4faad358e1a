import { join } from 'node:path';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import { blobFolder, checked, DamagedBackup, hasBlob, readBlobLists } from '../backup/index.ts';
import type { Chosen } from './choose.ts';

/** Puts every blob of a backup into a store, unless it is there already; one that is damaged does not hold up the others. */
export async function restoreBlobs(
  chosen: Chosen,
  from: string,
  store: BlobStore,
): Promise<{ files: number; faults: string[] }> {
  const blobs = await readBlobLists(chosen.place, chosen.manifests);
  const faults: string[] = [];
  for (const [id, entry] of blobs) {
    if (await hasBlob(store, id, entry.size)) continue;
    await store.write(id, checked(blobPath(from, id), entry, `blob ${id}`)).catch((error: unknown) => {
      if (!(error instanceof DamagedBackup)) throw error;
      faults.push(error.message);
    });
  }
  return { files: blobs.size - faults.length, faults };
}

/** Where a copied blob lies; the folders are those of the disk store. */
export function blobPath(from: string, id: string): string {
  return join(blobFolder(from), id.slice(-2), id.slice(-4, -2), id);
}
