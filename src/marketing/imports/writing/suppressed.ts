import { ADDRESS_COLUMN, addressKey, suppressing } from '../../../email/index.ts';
import type { PoolClient } from '../../../platform/db/pool.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { ImportRow } from '../row.ts';
import type { ChunkDeps } from './running.ts';

const ANY = `select exists (select from suppressions where customer_id = $1 and reason = 'opt_out') as any`;
const FIND = `
  select encode(address_index, 'hex') as index from suppressions
  where customer_id = $1 and reason = 'opt_out' and address_index = any($2::bytea[])`;

/** Remembers those who opted out as their rows say, so that it still holds when the person is deleted and comes back. */
export async function suppressLeavers(
  { client, clock, keys }: ChunkDeps,
  customerId: number,
  people: readonly ImportRow[],
): Promise<void> {
  const addresses = people.flatMap(({ email, optedOut }) => (optedOut && email !== null ? [email] : []));
  if (addresses.length === 0) return;
  const cause = { customerId, addresses, reason: 'opt_out', messageId: null, at: clock.now() } as const;
  const { text, values } = suppressing(keys, cause);
  await client.query(text, values);
}

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
