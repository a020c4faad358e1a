import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { FieldType } from '../fields/field-type.ts';
import { openFields } from '../fields/sealed-fields.ts';
import { SUBSCRIBER_COLUMNS } from '../subscribers/subscriber.ts';
import type { ExportedPerson } from './exported-people.ts';

/** What stands over each column of an export: what everybody has, then the custom fields. */
export function headersOf(types: readonly FieldType[]): string[] {
  return [...SUBSCRIBER_COLUMNS, ...types.map(({ name }) => name)];
}

/** One person as cells of an export, what is known of their health opened. */
export function cellsOf(keys: CustomerVault, types: readonly FieldType[], person: ExportedPerson): string[] {
  const values = { ...person.fields, ...openFields(keys, person.id, person.sealed_fields) };
  return [
    ...SUBSCRIBER_COLUMNS.map((column) => textOf(person[column])),
    ...types.map(({ number }) => values[number] ?? ''),
  ];
}

function textOf(value: string | number | Date | null): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}
