import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Reason } from './reason.ts';
import { indexOf } from './sealed-address.ts';
import '../tables.ts';

/** Which of these addresses get nothing for one of these reasons, each with the first of its reasons. */
export async function suppressedAmong(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  addresses: readonly string[],
  reasons: readonly Reason[],
): Promise<Map<string, Reason>> {
  const indexes = addresses.map((address) => indexOf(keys, address));
  const { rows } = await sql<{ address_index: Buffer; reason: Reason }>`
    select address_index, min(reason) as reason from suppressions
    where customer_id = ${customerId} and address_index = any(${indexes}::bytea[]) and reason = any(${reasons}::text[])
    group by address_index`.execute(tx);
  const found = new Map(rows.map((row) => [row.address_index.toString('hex'), row.reason]));
  return new Map(
    addresses.flatMap((address, at) => {
      const reason = found.get((indexes[at] as Buffer).toString('hex'));
      return reason === undefined ? [] : [[address, reason] as const];
    }),
  );
}
