import { heldAddresses } from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { findSubscribersAt } from './subscribers-at.ts';

/** The ids of people whom a legal hold keeps. */
export async function heldSubscribers(tx: Tx, keys: CustomerVault, customerId: number): Promise<string[]> {
  const addresses = await heldAddresses(tx, keys, customerId);
  return addresses.length === 0 ? [] : findSubscribersAt(tx, customerId, addresses);
}
