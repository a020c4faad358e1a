import { suppressedAddress } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { findSubscribersAt } from '../../subscribers/subscribers-at.ts';

/** The people at an address that was suppressed; nobody where it no longer is. */
export async function peopleSuppressed(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  suppression: string,
): Promise<string[]> {
  const address = await suppressedAddress(tx, keys, customerId, suppression);
  return address === null ? [] : findSubscribersAt(tx, customerId, [address]);
}
