import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../platform/db/database.ts';

/** Runs work for the customer that a lookup names; null where it names nobody. */
export async function ofOwner<T>(
  db: Database,
  owner: RawBuilder<number | null>,
  work: (tx: Tx, customerId: number) => Promise<T>,
): Promise<T | null> {
  const { rows } = await db.untenanted((tx) => sql<{ owner: number | null }>`select ${owner} as owner`.execute(tx));
  const customerId = rows[0]?.owner ?? null;
  return customerId === null ? null : db.tenant([customerId], (tx) => work(tx, customerId));
}
