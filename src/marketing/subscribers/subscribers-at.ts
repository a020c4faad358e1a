import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** The ids of a customer's people who have these addresses, as a set. */
export function subscribersAt(customerId: number, addresses: readonly string[]): RawBuilder<string> {
  return sql`find_subscribers_at(${customerId}, ${addresses.map((address) => address.toLowerCase())}::text[])`;
}

/** The ids of a customer's people who have these addresses. */
export async function findSubscribersAt(tx: Tx, customerId: number, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select ${subscribersAt(customerId, addresses)} as id`.execute(tx);
  return rows.map(({ id }) => id);
}
