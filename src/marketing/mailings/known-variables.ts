import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { personVariables } from './sending/person-variables.ts';
import '../tables.ts';

/** Where the way out leads in mails that are only tried out. */
export const SAMPLE_WAY_OUT = { unsubscribe_url: 'https://example.com/' };

const UNKNOWN = { phone_number: null, first_name: null, last_name: null, fields: null, sealed_fields: null };

/** What a mailing may write of somebody; nothing but the address where nobody is meant. */
export async function knownVariables(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  { subscriberId, email }: { subscriberId: string | null; email: string },
): Promise<Record<string, unknown>> {
  const person = await tx
    .selectFrom('subscribers')
    .select(['id as subscriber_id', 'email', 'phone_number', 'first_name', 'last_name', 'fields', 'sealed_fields'])
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .executeTakeFirst();
  const variables = personVariables(keys, await listFieldTypes(tx, customerId));
  return { ...variables(person ?? { ...UNKNOWN, subscriber_id: '', email }), ...SAMPLE_WAY_OUT };
}
