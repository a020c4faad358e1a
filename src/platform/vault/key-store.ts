import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { AppError } from '../errors.ts';

/** `seal` keys encrypt; the `index` key makes blind indexes and never changes, or nothing would be found again. */
export type Purpose = 'seal' | 'index';

/** A customer key as it is kept: wrapped by the master key of that id. */
export interface StoredKey {
  purpose: Purpose;
  version: number;
  masterKeyId: string;
  wrapped: Buffer;
  createdAt: Date;
}

/** Where wrapped customer keys live. Apart from the database, destroying them ends old backups as well. */
export interface KeyStore {
  readonly kind: 'database' | 'folder';
  load(customerId: number): Promise<StoredKey[]>;
  /**
   * Adds keys; a version that another node has added meanwhile stays as it is. Throws where those that a later version
   * would follow were destroyed.
   */
  add(customerId: number, keys: StoredKey[]): Promise<void>;
  /** Puts newly wrapped keys in the place of the same versions, as far as they are still there. */
  rewrap(customerId: number, keys: StoredKey[]): Promise<void>;
  destroy(customerId: number): Promise<void>;
}

/**
 * Waits for whoever changes the keys of a customer just now, on whatever node, and has others wait until the transaction
 * ends. Where two did so at once, the keys that one of them added would be gone, and those that one of them destroyed
 * would be there again.
 */
export async function takeTurn(tx: Tx, customerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('carepost customer keys'), ${customerId})`.execute(tx);
}

/** Keys of a later version follow others: where there are none, they were destroyed since somebody looked. */
export function requireEarlier(known: readonly unknown[], keys: StoredKey[]): void {
  if (known.length === 0 && keys.some(({ version }) => version > 1)) throw keysAreGone();
}

export function keysAreGone(): AppError {
  return new AppError('forbidden', 'The keys of this customer do not exist or were destroyed');
}
