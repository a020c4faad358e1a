import type { PoolClient } from '../../../platform/db/pool.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { openFields, sealFields } from '../../fields/sealed-fields.ts';
import type { ImportRow } from '../row.ts';
import { READ_SEALED, SET_SEALED } from './statements.ts';

interface Found {
  number: number;
  id: string;
  sealed: Buffer | null;
}

/** Seals what rows say of the health of people who are known already, with what was known of it. */
export async function sealAnew(
  client: PoolClient,
  keys: CustomerVault,
  customerId: number,
  people: readonly ImportRow[],
): Promise<void> {
  if (!people.some(({ phi }) => Object.keys(phi).length > 0)) return;
  const { rows } = await client.query<Found>(READ_SEALED, [customerId]);
  const sealed = rows.map(({ number, id, sealed: before }) => {
    const known = openFields(keys, id, before);
    const { phi } = people[number] as ImportRow;
    const isNew = Object.entries(phi).some(([field, value]) => known[field] !== value);
    return isNew ? sealFields(keys, id, { ...known, ...phi }).toString('hex') : null;
  });
  await client.query(SET_SEALED, [customerId, rows.map(({ number }) => number), sealed]);
}
