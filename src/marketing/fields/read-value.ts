import { isDay } from '../../platform/calendar-time.ts';
import type { FieldKind } from './field-type.ts';

const NUMBER = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})$/;

/** How yes and no are written, in small letters. */
export const YES_WORDS = ['true', 'yes', 'y', '1'];
export const NO_WORDS = ['false', 'no', 'n', '0'];

const WANTED: Record<FieldKind, string> = {
  text: 'takes text',
  number: 'takes a number, such as 12.5',
  date: 'takes a date, such as 1985-03-17',
  yes_no: 'takes yes or no',
};

/** A value as its kind of field keeps it, or the rule that it breaks. */
export function readValue(kind: FieldKind, text: string): { value: string } | { rule: string } {
  const value = text === '' ? '' : valueOf(kind, text);
  return value === null ? { rule: WANTED[kind] } : { value };
}

function valueOf(kind: FieldKind, text: string): string | null {
  if (kind === 'text') return text;
  if (kind === 'number') return NUMBER.test(text) ? text : null;
  if (kind === 'date') return isDay(text) ? text : null;
  if (YES_WORDS.includes(text.toLowerCase())) return 'true';
  return NO_WORDS.includes(text.toLowerCase()) ? 'false' : null;
}
