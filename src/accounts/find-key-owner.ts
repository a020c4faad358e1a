import { sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { OwnershipCheck } from '../platform/http/ownership.ts';
import { canonicalUuid, isUuid } from '../platform/ids.ts';

/** The customer that a key belongs to. */
export async function findKeyOwner(db: Database, id: string): Promise<number> {
  const missing = new AppError('not_found', 'No such key');
  if (!isUuid(id)) throw missing;
  const { rows } = await db.untenanted((tx) =>
    sql<{ owner: number | null }>`select find_api_key_customer(${id}) as owner`.execute(tx),
  );
  const owner = rows[0]?.owner ?? null;
  if (owner === null) throw missing;
  return owner;
}

/** The id of a customer's own key as the database writes it: 404 where there is none, 403 where it is another's. */
export async function findOwnKey(
  { db, requireOwn }: { db: Database; requireOwn: OwnershipCheck },
  customerId: number,
  id: string,
): Promise<string> {
  const missing = 'No such key in force';
  if (!isUuid(id)) throw new AppError('not_found', missing);
  await db.tenant([customerId], (tx) =>
    requireOwn(tx, customerId, sql<number | null>`find_api_key_customer(${id})`, missing),
  );
  return canonicalUuid(id);
}
