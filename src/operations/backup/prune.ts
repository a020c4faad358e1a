import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskStore } from '../../platform/blob/disk.ts';
import { syncFolder } from '../../platform/durable-files.ts';
import type { MasterKeys } from '../../platform/vault/master-key.ts';
import { type BlobEntries, readBlobLists } from './blobs.ts';
import { dropChainKey, OtherMasterKey, openChainKey } from './chain-key.ts';
import { blobFolder, chainBegan, chainFolder, listChains } from './chains.ts';
import { DamagedBackup } from './damaged.ts';
import { readManifests } from './manifest.ts';

interface Deps {
  to: string;
  keysTo: string;
  masterKeys: MasterKeys;
}

/**
 * Removes what began before a time, and what runs that were cut off left: first the keys, which ends every copy, then the
 * files, then the blobs that no chain stands for any more. The newest chain stays whatever its age. Only while no backup
 * is taken.
 */
export async function pruneChains({ to, keysTo, masterKeys }: Deps, before: Date): Promise<string[]> {
  await createDiskStore(blobFolder(to)).removeUnfinished(new Date());
  const { finished, unfinished } = await listChains(to);
  const old = finished.slice(0, -1).filter((chain) => chainBegan(chain) < before);
  const dropped = [...unfinished, ...old];
  for (const chain of dropped) {
    await dropChainKey(keysTo, chain);
    await rm(chainFolder(to, chain), { recursive: true, force: true });
  }
  if (dropped.length === 0) return [];
  await syncFolder(join(to, 'chains'));
  await pruneBlobs(
    { to, keysTo, masterKeys },
    finished.filter((chain) => !old.includes(chain)),
  );
  return old;
}

async function pruneBlobs({ to, keysTo, masterKeys }: Deps, chains: string[]): Promise<void> {
  const wanted = new Set<string>();
  for (const chain of chains) {
    const blobs = await blobsOf({ to, keysTo, masterKeys }, chain);
    if (blobs === null) return;
    for (const id of blobs.keys()) wanted.add(id);
  }
  const copies = createDiskStore(blobFolder(to));
  for await (const { id } of copies.list()) if (!wanted.has(id)) await copies.remove(id);
}

/** The blobs that a chain stands for; null where that cannot be known. */
async function blobsOf({ to, keysTo, masterKeys }: Deps, chain: string): Promise<BlobEntries | null> {
  try {
    const key = await openChainKey(keysTo, masterKeys, chain);
    if (key === null) return null;
    const folder = chainFolder(to, chain);
    return await readBlobLists({ chain, folder, key: key.key }, await readManifests(folder, chain, key));
  } catch (error) {
    if (error instanceof DamagedBackup || error instanceof OtherMasterKey) return null;
    throw error;
  }
}
