import type { MasterKeys } from '../../platform/vault/master-key.ts';
import {
  type ChainFolder,
  chainFolder,
  listChains,
  openChainKey,
  readManifests,
  type SignedManifest,
} from '../backup/index.ts';

/** Where a backup lies. */
export interface Source {
  from: string;
  keys: string;
  masterKeys: MasterKeys;
}

/** The chain to restore from, and its manifests up to the one that reaches the moment. */
export interface Chosen {
  place: ChainFolder;
  manifests: SignedManifest[];
  newest: SignedManifest;
}

/** The backup that can be restored to a moment, or to the last one there is. */
export async function chooseBackup({ from, keys, masterKeys }: Source, at: Date | null): Promise<Chosen> {
  const { finished } = await listChains(from);
  if (finished.length === 0) throw new Error(`there is no finished backup in ${from}`);
  const reaches: string[] = [];
  for (const chain of finished.toReversed()) {
    const key = await openChainKey(keys, masterKeys, chain);
    if (key === null) {
      if (at === null) throw new Error(`the key of backup ${chain} is not in --keys`);
      continue;
    }
    const folder = chainFolder(from, chain);
    const manifests = await readManifests(folder, chain, key);
    const place = { chain, folder, key: key.key };
    const newest = manifests.at(-1) as SignedManifest;
    if (at === null) return { place, manifests, newest };
    const last = manifests.findIndex((manifest) => new Date(manifest.restorable_until) >= at);
    if (last !== -1 && new Date(newest.restorable_from) <= at) {
      return { place, manifests: manifests.slice(0, last + 1), newest: manifests[last] as SignedManifest };
    }
    reaches.push(`${newest.restorable_from} to ${newest.restorable_until}`);
  }
  throw new Error(`--at takes a moment within ${reaches.toReversed().join(', ') || 'a backup whose key is in --keys'}`);
}
