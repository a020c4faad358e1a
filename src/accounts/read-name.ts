import { invalidField } from '../platform/errors.ts';

const LONGEST = 200;

/** A name as people give it: some text, in one line. */
export function readName(field: string, text: string): string {
  const name = text.trim();
  if (name === '') throw invalidField(field, 'must not be empty');
  if (name.length > LONGEST || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw invalidField(field, `takes 1 to ${LONGEST} characters in one line`);
  }
  return name;
}
