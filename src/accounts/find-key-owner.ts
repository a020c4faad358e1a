import { sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';

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
