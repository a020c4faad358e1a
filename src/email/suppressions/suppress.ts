import { CompiledQuery } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Reason } from './reason.ts';
import { indexOf, sealAddress } from './sealed-address.ts';
import '../tables.ts';

const SUPPRESS = `
  insert into suppressions (customer_id, address_index, reason, sealed, message_id, created_at)
  select $1, r.address_index, $2, r.sealed, $3, $4
  from json_to_recordset($5::json) as r (address_index bytea, sealed bytea)
  order by r.address_index
  on conflict (customer_id, address_index, reason) do nothing`;

interface Cause {
  customerId: number;
  reason: Reason;
  /** The message that brought it about. */
  messageId: string | null;
  at: Date;
}

interface Addresses {
  addresses: readonly string[];
}

/** Lets an address have no more mail, for one reason; where it already stands, the first row stays. */
export async function suppress(
  tx: Tx,
  keys: CustomerVault,
  { address, ...cause }: Cause & { address: string },
): Promise<void> {
  await suppressMany(tx, keys, { ...cause, addresses: [address] });
}

/** The same for many addresses at once. */
export async function suppressMany(tx: Tx, keys: CustomerVault, cause: Cause & Addresses): Promise<void> {
  if (cause.addresses.length === 0) return;
  const { text, values } = suppressing(keys, cause);
  await tx.executeQuery(CompiledQuery.raw(text, values));
}

/** The statement that does it, for a bare connection. */
export function suppressing(
  keys: CustomerVault,
  { customerId, addresses, reason, messageId, at }: Cause & Addresses,
): { text: string; values: unknown[] } {
  const rows = addresses.map((address) => {
    const index = indexOf(keys, address);
    return { address_index: hex(index), sealed: hex(sealAddress(keys, { index, reason }, address)) };
  });
  return { text: SUPPRESS, values: [customerId, reason, messageId, at, JSON.stringify(rows)] };
}

/** Lets addresses have mail again as far as these reasons go; answers how many rows that took away. */
export async function unsuppress(
  tx: Tx,
  keys: CustomerVault,
  { customerId, addresses, reasons }: { customerId: number; addresses: readonly string[]; reasons: readonly Reason[] },
): Promise<number> {
  if (addresses.length === 0) return 0;
  const { numDeletedRows } = await tx
    .deleteFrom('suppressions')
    .where('customer_id', '=', customerId)
    .where(
      'address_index',
      'in',
      addresses.map((address) => indexOf(keys, address)),
    )
    .where('reason', 'in', reasons)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
