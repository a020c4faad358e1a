import type { PoolClient } from '../../../platform/db/pool.ts';
import type { ImportRow } from '../row.ts';
import type { Running } from './running.ts';
import { KNOWN_BY_NUMBER } from './statements.ts';

/** Rows with the address of the one person who had their phone number before the import, where they have no other key. */
export async function knownByNumber(
  client: PoolClient,
  { customerId, id }: Running,
  rows: readonly ImportRow[],
): Promise<readonly ImportRow[]> {
  const numbers = rows.flatMap(({ email, phoneNumber }) => (email === null ? [phoneNumber] : []));
  if (numbers.length === 0) return rows;
  const { rows: found } = await client.query<{ number: string; email: string }>(KNOWN_BY_NUMBER, [
    customerId,
    id,
    numbers,
  ]);
  const emails = new Map(found.map(({ number, email }) => [number, email]));
  return rows.map((row) => ({ ...row, email: row.email ?? emails.get(row.phoneNumber ?? '') ?? null }));
}
