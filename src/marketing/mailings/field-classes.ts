import type { FieldClass, FieldType } from '../fields/field-type.ts';

const BUILT_IN = new Set(['email', 'first_name', 'last_name', 'full_name', 'phone_number', 'unsubscribe_url']);

/** The name of a field as a template can write it without brackets. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/** Whether a name stands for something that everybody has. */
export function isBuiltIn(name: string): boolean {
  return BUILT_IN.has(name);
}

/** What a variable of a template says about somebody, by the fields that a customer has. */
export function classesOf(types: readonly FieldType[]): (variable: string) => FieldClass {
  const classes = new Map<string, FieldClass>();
  for (const { name, class: given } of types) {
    for (const written of [name, slugOf(name)]) {
      if (!isBuiltIn(written) && classes.get(written) !== 'phi') classes.set(written, given);
    }
  }
  return (variable) => classes.get(variable) ?? 'personal';
}
