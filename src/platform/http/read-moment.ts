import { invalidField } from '../errors.ts';

/** A moment that a caller names in RFC 3339; a leap second fits the format and is none that Date knows. */
export function readMoment(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw invalidField(field, 'takes an RFC 3339 date and time');
  return moment;
}
