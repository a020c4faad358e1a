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

export function keysAreGone(): AppError {
  return new AppError('forbidden', 'The keys of this customer do not exist or were destroyed');
}
