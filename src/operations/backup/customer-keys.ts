import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../platform/db/database.ts';
import { makeFolder, removeWhole, writeWhole } from '../../platform/durable-files.ts';

const KEY_FILE = /^customer-(\d+)\.json$/;

/** What tells a key from another, however it is wrapped. */
interface KeyName {
  purpose: string;
  version: number;
  createdAt: string;
}

/** Where the customer keys of a folder store are copied to. */
export function customerKeyFolder(keysTo: string): string {
  return join(keysTo, 'customer-keys');
}

/**
 * Copies the customer keys as the store has them now. A copy goes where the database knows that its keys were destroyed,
 * and for no other reason: the store may be away, or damaged.
 */
export async function mirrorCustomerKeys(db: Database, store: string, keysTo: string): Promise<void> {
  const copy = customerKeyFolder(keysTo);
  await makeFolder(copy);
  const present = await keyFilesIn(store);
  const lost: string[] = [];
  for (const name of present) {
    const content = await readIfThere(join(store, name));
    const before = await readIfThere(join(copy, name));
    if (content === null || content === before) continue; // destroyed just now, or nothing new
    if (hasKeysOf(content, before)) await writeWhole(join(copy, name), content);
    else lost.push(name);
  }
  for (const name of await keyFilesIn(copy)) {
    if (present.includes(name)) continue;
    if (await wereDestroyed(db, customerOf(name))) await removeWhole(join(copy, name));
    else lost.push(name);
  }
  if (lost.length > 0) {
    throw new Error(
      `CAREPOST_KEY_STORE lacks keys that were not destroyed: ${lost.join(', ')}; --keys-to has them still`,
    );
  }
}

/** Puts copied customer keys where the store lacks them, unless it has keys that are not those of the backup. */
export async function putBackCustomerKeys(keysTo: string, store: string): Promise<number> {
  const copy = customerKeyFolder(keysTo);
  await makeFolder(store);
  const missing = new Map<string, string>();
  for (const name of await keyFilesIn(copy)) {
    const content = await readFile(join(copy, name), 'utf8');
    const present = await readIfThere(join(store, name));
    if (present === null) missing.set(name, content);
    else if (!hasKeysOf(present, content)) {
      throw new Error(`CAREPOST_KEY_STORE has other keys than the backup in ${name}: restore into an empty one`);
    }
  }
  for (const [name, content] of missing) await writeWhole(join(store, name), content);
  return missing.size;
}

/** Whether the keys of a customer were destroyed, by what the database knows. */
export async function wereDestroyed(db: Database, customerId: number): Promise<boolean> {
  const found = await db.tenant([customerId], (tx) =>
    tx.selectFrom('key_destructions').select('destroyed_at').where('customer_id', '=', customerId).executeTakeFirst(),
  );
  return found !== undefined;
}

/** Whether a file can be read and has every key of another; keys are added and wrapped anew, never taken away. */
function hasKeysOf(content: string, other: string | null): boolean {
  const keys = readKeys(content);
  const wanted = other === null ? [] : readKeys(other);
  if (keys === null) return false;
  return wanted === null || wanted.every((key) => keys.some((known) => isSame(key, known)));
}

function readKeys(content: string): KeyName[] | null {
  try {
    const keys = JSON.parse(content) as KeyName[];
    return Array.isArray(keys) && keys.length > 0 ? keys : null;
  } catch {
    return null;
  }
}

function isSame(one: KeyName, other: KeyName): boolean {
  return one.purpose === other.purpose && one.version === other.version && one.createdAt === other.createdAt;
}

function customerOf(name: string): number {
  return Number(KEY_FILE.exec(name)?.[1]);
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function keyFilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => KEY_FILE.test(name));
}
