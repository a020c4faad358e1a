import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Reason } from './reason.ts';
import { indexOf, openAddress } from './sealed-address.ts';
import '../tables.ts';

/** The row that a page ended with. */
export interface Place {
  index: Buffer;
  reason: Reason;
}

export interface Suppression extends Place {
  address: string;
  messageId: string | null;
  createdAt: Date;
}

export interface SuppressionQuery {
  reason: Reason | null;
  address: string | null;
  after: Place | null;
  limit: number;
}

/** The suppressed addresses of a customer that fit, in an order of no meaning that stays. */
export async function listSuppressions(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  { reason, address, after, limit }: SuppressionQuery,
): Promise<Suppression[]> {
  let query = tx
    .selectFrom('suppressions')
    .select(['address_index', 'reason', 'sealed', 'message_id', 'created_at'])
    .where('customer_id', '=', customerId);
  if (reason !== null) query = query.where('reason', '=', reason);
  if (address !== null) query = query.where('address_index', '=', indexOf(keys, address));
  if (after !== null)
    query = query.where(sql<boolean>`(address_index, reason) > (${after.index}::bytea, ${after.reason}::text)`);
  const rows = await query.orderBy('address_index').orderBy('reason').limit(limit).execute();
  return rows.map((row) => {
    const place = { index: row.address_index, reason: row.reason };
    const found = { address: openAddress(keys, place, row.sealed), messageId: row.message_id };
    return { ...place, ...found, createdAt: row.created_at };
  });
}
