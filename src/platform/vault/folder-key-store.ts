import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { makeFolder, removeWhole, writeWhole } from '../durable-files.ts';
import { AppError } from '../errors.ts';
import { type KeyStore, type Purpose, requireEarlier, type StoredKey, takeTurn } from './key-store.ts';

interface WrittenKey {
  purpose: Purpose;
  version: number;
  masterKeyId: string;
  wrapped: string;
  createdAt: string;
}

/** The product itself, whose keys are the first that a folder gets and which never go. */
const INSTALLATION = 0;
const AWAY_SECONDS = 30;

const fileIn = (folder: string, customerId: number) => join(folder, `customer-${customerId}.json`);

/** Whether a folder is the one that keys were put in, and not the empty place where it should be mounted. */
export function isKeyFolder(folder: string): boolean {
  return existsSync(fileIn(folder, INSTALLATION));
}

/** Customer keys in a folder apart from the database: one file per customer, replaced whole. */
export function createFolderKeyStore(folder: string, db: Database): KeyStore {
  const fileOf = (customerId: number) => fileIn(folder, customerId);

  async function load(customerId: number): Promise<StoredKey[]> {
    try {
      const written = JSON.parse(await readFile(fileOf(customerId), 'utf8')) as WrittenKey[];
      return written.map((key) => ({
        ...key,
        wrapped: Buffer.from(key.wrapped, 'base64'),
        createdAt: new Date(key.createdAt),
      }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (customerId !== INSTALLATION) requireFolder(folder);
      return [];
    }
  }

  async function save(customerId: number, keys: StoredKey[]): Promise<void> {
    await makeFolder(folder);
    const written = keys.map((key) => ({ ...key, wrapped: key.wrapped.toString('base64') }));
    await writeWhole(fileOf(customerId), JSON.stringify(written));
  }

  function inTurn(customerId: number, change: () => Promise<void>): Promise<void> {
    return db.untenanted(async (tx) => {
      await takeTurn(tx, customerId);
      await change();
    });
  }

  return {
    kind: 'folder',
    load,
    add: (customerId, keys) =>
      inTurn(customerId, async () => {
        const known = await load(customerId);
        requireEarlier(known, keys);
        const news = keys.filter((key) => !known.some((other) => isSame(key, other)));
        await save(customerId, [...known, ...news]);
      }),
    rewrap: (customerId, keys) =>
      inTurn(customerId, async () => {
        const known = await load(customerId);
        if (known.length === 0) return; // destroyed since they were read
        await save(
          customerId,
          known.map((key) => keys.find((other) => isSame(key, other)) ?? key),
        );
      }),
    destroy: (customerId) =>
      inTurn(customerId, async () => {
        requireFolder(folder); // or else keys that are only out of sight would be recorded as destroyed
        await removeWhole(fileOf(customerId));
      }),
  };
}

function requireFolder(folder: string): void {
  if (isKeyFolder(folder)) return;
  throw new AppError('unavailable', 'The folder of customer keys is away', { retryAfterSeconds: AWAY_SECONDS });
}

function isSame(one: StoredKey, other: StoredKey): boolean {
  return one.purpose === other.purpose && one.version === other.version;
}
