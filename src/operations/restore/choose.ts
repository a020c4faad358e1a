import type { MasterKeys } from '../../platform/vault/master-key.ts';
import {
  type ChainFolder,
  chainFolder,
  DamagedBackup,
  listChains,
  OtherMasterKey,
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
export async function chooseBackup(source: Source, at: Date | null): Promise<Chosen> {
  const { finished } = await listChains(source.from);
  const newest = finished.at(-1);
  if (newest === undefined) throw new Error(`there is no finished backup in ${source.from}`);
  return at === null ? openChain(source, newest) : chooseByMoment(source, finished, at);
}

/** A chain that cannot be opened is in no other's way. */
async function chooseByMoment(source: Source, chains: string[], at: Date): Promise<Chosen> {
  const reaches: string[] = [];
  const unusable: string[] = [];
  for (const chain of chains.toReversed()) {
    try {
      const { place, manifests, newest } = await openChain(source, chain);
      const last = manifests.findIndex((manifest) => new Date(manifest.restorable_until) >= at);
      if (last !== -1 && new Date(newest.restorable_from) <= at) {
        return { place, manifests: manifests.slice(0, last + 1), newest: manifests[last] as SignedManifest };
      }
      reaches.unshift(`${newest.restorable_from} to ${newest.restorable_until}`);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      unusable.unshift(`; ${chain} cannot be used: ${error.message}`);
    }
  }
  const within = reaches.join(', ') || 'a backup that can be opened';
  throw new Error(`--at takes a moment within ${within}${unusable.join('')}`);
}

async function openChain({ from, keys, masterKeys }: Source, chain: string): Promise<Chosen> {
  const key = await openChainKey(keys, masterKeys, chain);
  if (key === null) throw new KeyMissing(`the key of backup ${chain} is not in --keys`);
  const folder = chainFolder(from, chain);
  const manifests = await readManifests(folder, chain, key);
  return { place: { chain, folder, key: key.key }, manifests, newest: manifests.at(-1) as SignedManifest };
}

class KeyMissing extends Error {}

function isUnusable(error: unknown): error is Error {
  return [DamagedBackup, OtherMasterKey, KeyMissing].some((kind) => error instanceof kind);
}
