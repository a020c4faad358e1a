import type { CustomerVault } from '../../platform/vault/vault.ts';

/** Values by the numbers of their fields. */
export type NumberedValues = Record<string, string>;

/** Seals what is known of somebody's health. */
export function sealFields(keys: CustomerVault, subscriberId: string, values: NumberedValues): Buffer {
  return keys.seal(placeOf(subscriberId), JSON.stringify(values));
}

/** What is known of somebody's health. */
export function openFields(keys: CustomerVault, subscriberId: string, sealed: Buffer | null): NumberedValues {
  return sealed === null ? {} : (JSON.parse(keys.open(placeOf(subscriberId), sealed).toString()) as NumberedValues);
}

function placeOf(subscriberId: string) {
  return { table: 'subscribers', row: subscriberId, column: 'sealed_fields' };
}
