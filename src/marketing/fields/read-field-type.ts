import { type Static, Type } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import { FIELD_CLASSES, FIELD_KINDS, type FieldType } from './field-type.ts';

const LONGEST_NAME = 1_000;

const Word = (words: readonly string[]) =>
  Type.Optional(Type.Union([Type.String({ description: words.join(', ') }), Type.Null()]));

export const FieldTypeBody = Type.Object({
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  kind: Word(FIELD_KINDS),
  class: Word(FIELD_CLASSES),
});

type Wire = Static<typeof FieldTypeBody>;
type Said = Pick<FieldType, 'name' | 'kind' | 'class'>;

/** Reads a field to be made: text, and personal, unless it is said otherwise. */
export function readFieldType(wire: Wire): Said {
  const { name, kind = 'text', class: given = 'personal' } = readFieldTypeChange(wire);
  if (name === undefined) throw invalidField('name', 'is required');
  return { name, kind, class: given };
}

/** Reads what is to be changed of a field. */
export function readFieldTypeChange({ name, kind, class: given }: Wire): Partial<Said> {
  return {
    ...(name === undefined || name === null ? {} : { name: readName(name) }),
    ...(kind === undefined || kind === null ? {} : { kind: choice('kind', kind, FIELD_KINDS) }),
    ...(given === undefined || given === null ? {} : { class: choice('class', given, FIELD_CLASSES) }),
  };
}

function readName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidField('name', 'must not be empty');
  if (name.length > LONGEST_NAME) throw invalidField('name', `takes at most ${LONGEST_NAME} characters`);
  return name;
}

function choice<Choice extends string>(field: string, text: string, choices: readonly Choice[]): Choice {
  const found = choices.find((each) => each === text);
  if (found === undefined) throw invalidField(field, `takes ${choices.join(', ')}`);
  return found;
}
