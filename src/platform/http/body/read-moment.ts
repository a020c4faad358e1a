import { isDay } from '../../calendar-time.ts';
import { invalidField } from '../../errors.ts';

const ZONE = /(?:z|[+-]\d\d:\d\d)$/i;

/** A moment that a caller names in RFC 3339; a leap second fits the format and is none that Date knows, and
 * Date knows years that nothing else does. Without its distance from UTC it would be one of this machine's zone, but for a
 * day, which begins in UTC. */
export function readMoment(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  const year = moment.getUTCFullYear();
  const isTold = isDay(text) || (isDay(text.slice(0, 10)) && ZONE.test(text));
  if (!isTold || !(year >= 0 && year <= 9999)) throw invalidField(field, 'takes an RFC 3339 date and time');
  return moment;
}
