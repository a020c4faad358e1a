import { slugOf } from '../../../../src/marketing/mailings/field-classes.ts';
import { words } from '../../../words/mailings.ts';

/** A field of people that a mailing can write. */
export interface MergeField {
  label: string;
  /** As it stands in the mailing. */
  mustache: string;
  /** Whether it says something about a person's health: then it stands in the body only. */
  isPhi: boolean;
}

const BUILT_IN: readonly MergeField[] = (
  ['first_name', 'last_name', 'full_name', 'email', 'phone_number'] as const
).map((name) => ({ label: words.builtIn[name], mustache: `{{${name}}}`, isPhi: false }));

interface FieldType {
  attributes: { name: string; class: string };
}

/** What everybody has, and what this customer keeps beside. */
export function mergeFieldsOf(types: readonly FieldType[]): MergeField[] {
  return [
    ...BUILT_IN,
    ...types.map(({ attributes: { name, class: given } }) => ({
      label: name,
      mustache: /^[a-z_][a-z0-9_]*$/.test(slugOf(name)) ? `{{${slugOf(name)}}}` : `{{[${name}]}}`,
      isPhi: given === 'phi',
    })),
  ];
}
