import type { CustomerVault } from '../../platform/vault/vault.ts';
import { ADDRESS_COLUMN } from '../submission/accept.ts';
import { addressKey } from '../submission/address.ts';
import type { Reason } from './reason.ts';

interface Place {
  index: Buffer;
  reason: Reason;
}

/** The fingerprint under which an address is found. */
export function indexOf(keys: CustomerVault, address: string): Buffer {
  return keys.blindIndex(ADDRESS_COLUMN, addressKey(address));
}

/** Seals a suppressed address for its row. */
export function sealAddress(keys: CustomerVault, place: Place, address: string): Buffer {
  return keys.seal(placeOf(place), address);
}

/** The address of a row. */
export function openAddress(keys: CustomerVault, place: Place, sealed: Buffer): string {
  return keys.open(placeOf(place), sealed).toString();
}

function placeOf({ index, reason }: Place) {
  return { table: 'suppressions', row: `${index.toString('hex')}/${reason}`, column: 'sealed' };
}
