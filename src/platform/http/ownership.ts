import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { AppError } from '../errors.ts';

/**
 * Throws unless an id belongs to the customer: 404 where it exists nowhere, 403 where it is another's,
 * both about the same fields. Row-level security hides foreign rows, so the owner comes from a lookup function.
 */
export type OwnershipCheck = (
  tx: Tx,
  customerId: number,
  owner: RawBuilder<number | null>,
  whenMissing: AppError | string,
) => Promise<void>;

/** The check that the product runs with; tests of row-level security take it away. */
export const requireOwn: OwnershipCheck = async (tx, customerId, owner, whenMissing) => {
  const { rows } = await sql<{ owner: number | null }>`select ${owner} as owner`.execute(tx);
  const found = rows[0]?.owner ?? null;
  if (found === customerId) return;
  const missing = typeof whenMissing === 'string' ? new AppError('not_found', whenMissing) : whenMissing;
  throw found === null ? missing : foreign(Object.keys(missing.fields));
};

function foreign(names: string[]): AppError {
  const fields = Object.fromEntries(names.map((name) => [name, ['belongs to another customer']]));
  return new AppError('forbidden', 'The resource belongs to another customer', { fields });
}
