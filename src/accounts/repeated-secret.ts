import type { CustomerVault } from '../platform/vault/vault.ts';
import { secretOfBits } from './api-key-format.ts';

/**
 * The secret of a key that may be asked for again by the Idempotency-Key of the first request. It is not kept: it follows
 * from a key in the vault, the id of the API key and the Idempotency-Key, which only the browser that sent it knows.
 */
export function repeatedSecret(keys: CustomerVault, id: string, idempotencyKey: string): string {
  const origin = `${id} ${idempotencyKey}`;
  // A blind index has 128 bits: two of them make a secret.
  const halves = ['first', 'second'].map((half) => keys.blindIndex(`api key secret, ${half} half`, origin));
  return secretOfBits(Buffer.concat(halves));
}
