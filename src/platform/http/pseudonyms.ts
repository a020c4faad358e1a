import type { CustomerVault } from '../vault/vault.ts';
import { networkOf } from './limits/network-of.ts';

const MOST_KEPT = 10_000;

/** Turns network addresses into something that may be stored, and remembers those of late. */
export function createPseudonyms(keys: CustomerVault): (address: string) => string {
  const known = new Map<string, string>();
  return (address) => {
    let pseudonym = known.get(address);
    if (pseudonym === undefined) {
      pseudonym = keys.blindIndex('network', networkOf(address)).toString('base64url');
      if (known.size >= MOST_KEPT) known.clear();
      known.set(address, pseudonym);
    }
    return pseudonym;
  };
}
