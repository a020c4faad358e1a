import { ADDRESS_COLUMN, addressKey } from '../../../email/index.ts';
import type { PoolClient } from '../../../platform/db/pool.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { ImportRow } from '../row.ts';

const ANY = `select exists (select from suppressions where customer_id = $1 and reason = 'opt_out') as any`;
const FIND = `
  select encode(address_index, 'hex') as index from suppressions
  where customer_id = $1 and reason = 'opt_out' and address_index = any($2::bytea[])`;

/** Which of these people opted out under their address, whether or not anybody with it is known any more. */
export async function optedOutAmong(
  client: PoolClient,
  keys: CustomerVault,
  customerId: number,
  people: readonly ImportRow[],
): Promise<Set<ImportRow>> {
  const { rows } = await client.query(ANY, [customerId]);
  if (rows[0]?.any !== true) return new Set();
  const byIndex = new Map<string, ImportRow>();
  for (const row of people) {
    if (row.email === null) continue;
    byIndex.set(keys.blindIndex(ADDRESS_COLUMN, addressKey(row.email)).toString('hex'), row);
  }
  const indexes = [...byIndex.keys()].map((index) => Buffer.from(index, 'hex'));
  const found = await client.query(FIND, [customerId, indexes]);
  return new Set(found.rows.map(({ index }) => byIndex.get(index as string) as ImportRow));
}
