import { type RawBuilder, sql } from 'kysely';
import { keysIfAny } from '../email/index.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { CustomerVault, Vault } from '../platform/vault/vault.ts';

/** The customer whose something is, with their keys. */
export interface Owner {
  customerId: number;
  keys: CustomerVault;
}

/**
 * Runs work for the customer that a lookup names; null where it names nobody, or their keys were destroyed. The keys are
 * taken first: whoever has to wait for them would keep a connection that others need to fetch them.
 */
export async function ofOwner<T>(
  { db, vault }: { db: Database; vault: Vault },
  lookup: RawBuilder<number | null>,
  work: (tx: Tx, owner: Owner) => Promise<T>,
): Promise<T | null> {
  const { rows } = await db.untenanted((tx) => sql<{ owner: number | null }>`select ${lookup} as owner`.execute(tx));
  const customerId = rows[0]?.owner ?? null;
  const keys = customerId === null ? null : await keysIfAny(vault, customerId);
  return customerId === null || keys === null ? null : db.tenant([customerId], (tx) => work(tx, { customerId, keys }));
}
