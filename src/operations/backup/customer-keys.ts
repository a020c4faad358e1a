import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder, writeDurably } from './durable.ts';

const KEY_FILE = /^customer-\d+\.json$/;

/** Where the customer keys of a folder store are copied to. */
export function customerKeyFolder(keysTo: string): string {
  return join(keysTo, 'customer-keys');
}

/** Makes the copy of the customer keys what the store is now: a key that was destroyed there is destroyed here too. */
export async function mirrorCustomerKeys(store: string, keysTo: string): Promise<number> {
  const copy = customerKeyFolder(keysTo);
  await makeFolder(copy);
  const present = await keyFilesIn(store);
  for (const name of present) {
    const content = await readFile(join(store, name), 'utf8');
    const before = await readFile(join(copy, name), 'utf8').catch(() => null);
    if (content !== before) await writeDurably(join(copy, name), content);
  }
  for (const name of await keyFilesIn(copy)) if (!present.includes(name)) await rm(join(copy, name));
  await syncFolder(copy);
  return present.length;
}

/** Puts the copied customer keys where the store wants them, unless keys are there: those are newer. */
export async function putBackCustomerKeys(keysTo: string, store: string): Promise<number> {
  await makeFolder(store);
  if ((await keyFilesIn(store)).length > 0) return 0;
  const names = await keyFilesIn(customerKeyFolder(keysTo));
  for (const name of names) await copyFile(join(customerKeyFolder(keysTo), name), join(store, name));
  await syncFolder(store);
  return names.length;
}

async function keyFilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => KEY_FILE.test(name));
}
