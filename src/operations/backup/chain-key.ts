import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder, writeWhole } from '../../platform/durable-files.ts';
import type { MasterKeys } from '../../platform/vault/master-key.ts';
import { openValue, sealValue } from '../../platform/vault/sealed-column.ts';
import { DamagedBackup } from './damaged.ts';

const KEY_BYTES = 32;
const VERSION = 1;

interface KeyFile {
  chain: string;
  master_key_id: string;
  sealed: string;
}

/** What opens a chain of backups: its key, and the fingerprint of the key that signs its manifests. */
export interface ChainKey {
  key: Buffer;
  signer: string;
}

/** Thrown where a chain's key was sealed by a master key that is not here. */
export class OtherMasterKey extends Error {
  constructor(id: string) {
    super(`CAREPOST_MASTER_KEY_FILE holds another key than the ${id} that sealed the backup`);
    this.name = 'OtherMasterKey';
  }
}

/**
 * Makes the key of a new chain. It is kept in a folder apart from the backup, sealed under the master key: whoever
 * removes its file ends every copy of that chain, wherever it was taken.
 */
export async function createChainKey(
  { keysTo, masterKeys }: { keysTo: string; masterKeys: MasterKeys },
  chain: string,
  publicKey: KeyObject,
): Promise<ChainKey> {
  const made = { key: randomBytes(KEY_BYTES), signer: fingerprint(publicKey) };
  await makeFolder(keysTo);
  await save(keysTo, masterKeys, chain, made);
  return made;
}

/** The key of a chain; null where it was removed. */
export async function openChainKey(keysTo: string, masterKeys: MasterKeys, chain: string): Promise<ChainKey | null> {
  const file = await readKeyFile(keysTo, chain);
  if (file === null) return null;
  const master = masterKeys.byId(file.master_key_id);
  if (master === null) throw new OtherMasterKey(file.master_key_id);
  try {
    const opened = openValue(master.wrapping, placeOf(chain), Buffer.from(file.sealed, 'base64'));
    return { key: opened.subarray(0, KEY_BYTES), signer: opened.subarray(KEY_BYTES).toString('hex') };
  } catch (error) {
    throw new DamagedBackup(`${fileOf(keysTo, chain)} cannot be opened`, { cause: error });
  }
}

/**
 * Seals the keys of chains under the current master key, where it was replaced since. What is damaged is told, and is in
 * no other's way.
 */
export async function rewrapChainKeys(keysTo: string, masterKeys: MasterKeys, chains: string[]): Promise<string[]> {
  const damaged: string[] = [];
  for (const chain of chains) {
    try {
      await rewrapChainKey(keysTo, masterKeys, chain);
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      damaged.push(error.message);
    }
  }
  return damaged;
}

async function rewrapChainKey(keysTo: string, masterKeys: MasterKeys, chain: string): Promise<void> {
  const file = await readKeyFile(keysTo, chain);
  if (file === null || file.master_key_id === masterKeys.current().id) return;
  if (masterKeys.byId(file.master_key_id) === null) return; // whoever kept that key may still open it
  const opened = await openChainKey(keysTo, masterKeys, chain);
  if (opened !== null) await save(keysTo, masterKeys, chain, opened);
}

/** Removes the key of a chain for good. */
export async function dropChainKey(keysTo: string, chain: string): Promise<void> {
  await rm(fileOf(keysTo, chain), { force: true });
  await syncFolder(keysTo);
}

/** Names a signing key by its public half. */
export function fingerprint(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

async function save(keysTo: string, masterKeys: MasterKeys, chain: string, { key, signer }: ChainKey): Promise<void> {
  const master = masterKeys.current();
  const sealed = sealValue(
    master.wrapping,
    VERSION,
    placeOf(chain),
    Buffer.concat([key, Buffer.from(signer, 'hex')]),
  ).toString('base64');
  const file: KeyFile = { chain, master_key_id: master.id, sealed };
  await writeWhole(fileOf(keysTo, chain), `${JSON.stringify(file)}\n`);
}

async function readKeyFile(keysTo: string, chain: string): Promise<KeyFile | null> {
  const path = fileOf(keysTo, chain);
  try {
    const file = JSON.parse(await readFile(path, 'utf8')) as Partial<KeyFile> | null;
    if (typeof file?.master_key_id !== 'string' || typeof file.sealed !== 'string') throw new Error('it holds no key');
    return file as KeyFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new DamagedBackup(`${path} cannot be read`, { cause: error });
  }
}

function fileOf(keysTo: string, chain: string): string {
  return join(keysTo, `backup-${chain}.json`);
}

function placeOf(chain: string) {
  return { customerId: 0, table: 'backup', row: chain, column: 'key' };
}
