import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { FieldKind, FieldType } from '../../fields/field-type.ts';
import { SAMPLE_WAY_OUT } from '../known-variables.ts';
import { personVariables } from '../sending/person-variables.ts';

const VALUES: Record<FieldKind, string> = { text: 'sample', number: '42', date: '2026-01-31', yes_no: 'yes' };

/** What a mailing may write of somebody who has a value in every field and does not exist. */
export function sampleVariables(keys: CustomerVault, types: readonly FieldType[]): Record<string, unknown> {
  const fields = Object.fromEntries(types.map(({ number, kind }) => [String(number), VALUES[kind]]));
  const person = personVariables(
    keys,
    types,
  )({
    subscriber_id: '',
    email: 'alex.morgan@example.com',
    phone_number: '+1 555 0100',
    first_name: 'Alex',
    last_name: 'Morgan',
    fields,
    sealed_fields: null,
  });
  return { ...person, ...SAMPLE_WAY_OUT };
}
