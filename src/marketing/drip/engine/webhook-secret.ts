import type { CustomerVault } from '../../../platform/vault/vault.ts';

/** The secret that signs the calls of a drip, made of the customer's own key: there is nothing to store. */
export function webhookSecretOf(keys: CustomerVault, dripId: number): string {
  const halves = ['one', 'two'].map((half) => keys.blindIndex('drip webhook secret', `${dripId}/${half}`));
  return `whsec_${Buffer.concat(halves).toString('base64')}`;
}
