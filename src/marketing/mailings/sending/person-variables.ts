import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { FieldType } from '../../fields/field-type.ts';
import { openFields } from '../../fields/sealed-fields.ts';
import { fullNameOf } from '../../subscribers/subscriber.ts';
import { isBuiltIn, slugOf } from '../field-classes.ts';

interface Person {
  subscriber_id: string;
  email: string | null;
  phone_number: string | null;
  first_name: string | null;
  last_name: string | null;
  fields: Record<string, string> | null;
  sealed_fields: Buffer | null;
}

/**
 * Builds what a template may write of somebody: what everybody has, and custom fields by name, or by slug where no other
 * field is named like that.
 */
export function personVariables(
  keys: CustomerVault,
  types: readonly FieldType[],
): (person: Person) => Record<string, unknown> {
  const names = new Set(types.map(({ name }) => name));
  const writings = types.flatMap(({ number, name }) =>
    (names.has(slugOf(name)) ? [name] : [slugOf(name), name])
      .filter((written) => written !== '' && !isBuiltIn(written))
      .map((written) => [String(number), written] as const),
  );
  return (person) => {
    const values = { ...person.fields, ...openFields(keys, person.subscriber_id, person.sealed_fields) };
    const own = writings.flatMap(([number, written]) => {
      const value = values[number];
      return value === undefined ? [] : [[written, value] as const];
    });
    return {
      ...Object.fromEntries(own),
      email: person.email,
      phone_number: person.phone_number,
      first_name: person.first_name,
      last_name: person.last_name,
      full_name: fullNameOf(person),
    };
  };
}
