import { createHash } from 'node:crypto';
import { listTenants } from '../../accounts/index.ts';
import { createDiskStore } from '../../platform/blob/disk.ts';
import { createSealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { blobFolder, checked, readBlobLists } from '../backup/index.ts';
import { findKeys } from './check-values.ts';
import type { Chosen } from './choose.ts';
import { blobPath } from './restore-blobs.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  signal: AbortSignal;
}

/** Reads every copied blob, and opens every one that a row refers to and compares it with that row. */
export async function checkBlobs(
  deps: Deps,
  chosen: Chosen,
  from: string,
  onFault: (what: string) => void,
): Promise<number> {
  const { db, vault, signal } = deps;
  const listed = await readBlobLists(chosen.place, chosen.manifests);
  for (const [id, entry] of listed) {
    signal.throwIfAborted();
    try {
      for await (const _ of checked(blobPath(from, id), entry, `blob ${id}`));
    } catch (error) {
      onFault((error as Error).message);
    }
  }
  const blobs = createSealedBlobs({ ...deps, store: createDiskStore(blobFolder(from)) });
  let opened = 0;
  for (const customerId of await listTenants(db)) {
    if ((await findKeys(vault, customerId)) === null) continue; // destroyed, as was told already
    const rows = await db.tenant([customerId], (tx) =>
      tx.selectFrom('blobs').select(['id', 'size', 'sha256']).where('customer_id', '=', customerId).execute(),
    );
    for (const row of rows) {
      signal.throwIfAborted();
      const hash = createHash('sha256');
      try {
        for await (const piece of blobs.read(customerId, row.id)) hash.update(piece);
        if (hash.digest().equals(row.sha256)) opened += 1;
        else onFault(`blob ${row.id} is not what its row says`);
      } catch {
        onFault(`blob ${row.id} is missing or cannot be opened`);
      }
    }
  }
  return opened;
}
