export const FIELD_KINDS = ['text', 'number', 'date', 'yes_no'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** What a field says about somebody: nothing much, something personal, or something about their health. */
export const FIELD_CLASSES = ['none', 'personal', 'phi'] as const;
export type FieldClass = (typeof FIELD_CLASSES)[number];

/** A field that a customer keeps of its people, beside those that everybody has. */
export interface FieldType {
  id: string;
  /** What stands for it in a person's row, so that renaming moves nothing. */
  number: number;
  name: string;
  kind: FieldKind;
  class: FieldClass;
}

/** The values of somebody's custom fields, by the names of the fields; '' takes a value away. */
export type FieldValues = ReadonlyMap<string, string>;
