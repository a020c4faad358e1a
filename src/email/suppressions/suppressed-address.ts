import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Reason } from './reason.ts';
import { openAddress } from './sealed-address.ts';
import '../tables.ts';

/** The address of a suppression that news names by its fingerprint and reason; null where it has been taken back. */
export async function suppressedAddress(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  name: string,
): Promise<string | null> {
  const [fingerprint = '', reason = ''] = name.split('/');
  const place = { index: Buffer.from(fingerprint, 'hex'), reason: reason as Reason };
  const row = await tx
    .selectFrom('suppressions')
    .select('sealed')
    .where('customer_id', '=', customerId)
    .where('address_index', '=', place.index)
    .where('reason', '=', place.reason)
    .executeTakeFirst();
  return row === undefined ? null : openAddress(keys, place, row.sealed);
}
