import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSigningKey } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import { fingerprint, OtherMasterKey, openChainKey } from './chain-key.ts';
import { chainFolder, listChains } from './chains.ts';
import { DamagedBackup } from './damaged.ts';
import { readManifests, type SignedManifest } from './manifest.ts';
import type { ChainFolder } from './sealed-file.ts';

/** The chain that the next backup may go on with. */
export interface LastBackup {
  place: ChainFolder;
  /** The fingerprint of the key that signs its manifests. */
  signer: string;
  manifests: SignedManifest[];
  newest: SignedManifest;
}

/** The newest chain of a folder of backups, or why there is none to go on with. */
export async function findLastBackup(
  installation: Installation,
  { to, keysTo }: { to: string; keysTo: string },
): Promise<{ last: LastBackup } | { last: null; because: string }> {
  const chain = (await listChains(to)).finished.at(-1);
  if (chain === undefined) return { last: null, because: 'there is none yet' };
  const folder = chainFolder(to, chain);
  try {
    const key = await openChainKey(keysTo, installation.masterKeys, chain);
    if (key === null) return { last: null, because: 'the key of the last one is not in --keys-to' };
    const manifests = await readManifests(folder, chain, key);
    const newest = manifests.at(-1) as SignedManifest;
    return { last: { place: { chain, folder, key: key.key }, signer: key.signer, manifests, newest } };
  } catch (error) {
    const isLost = error instanceof OtherMasterKey && (await isSignedBy(installation, folder, chain));
    if (!(isLost || error instanceof DamagedBackup)) throw error;
    return { last: null, because: error.message }; // going on would save nothing, and stopping even less
  }
}

/** Whether a chain is of this installation: another's, which another master key sealed, is not to be mixed with. */
async function isSignedBy(installation: Installation, folder: string, chain: string): Promise<boolean> {
  const { publicKey } = await loadSigningKey(installation);
  try {
    await readManifests(folder, chain, { signer: fingerprint(publicKey) });
    return true;
  } catch (error) {
    if (error instanceof DamagedBackup) return false;
    throw error;
  }
}

/** Removes what a run that was cut off left in a chain. */
export async function clearUnfinished({ place, newest }: LastBackup): Promise<void> {
  const names = await readdir(place.folder);
  for (const name of names) if (Number(name.slice(0, 6)) > newest.number) await rm(join(place.folder, name));
}
