/** An address of one mailbox; both halves are cut at characters that cannot repeat, so the search is linear. */
export const EMAIL = '^[^\\s@<>(),;:"\\[\\]\\\\]{1,64}@[^\\s@.<>(),;:"\\[\\]\\\\]+(?:\\.[^\\s@.<>(),;:"\\[\\]\\\\]+)+$';

/** RFC 5321 4.5.3.1.3: a path has 256 octets, of which two are its brackets. */
export const LONGEST_EMAIL = 254;

/** Seven to fifteen digits (ITU-T E.164) with what people write between them, and an extension. */
export const PHONE = '^\\+?[ ().\\-/]*(?:[0-9][ ().\\-/]*){7,15}(?:(?:x|ext\\.?) ?[0-9]{1,6})?$';

export const LONGEST_PHONE = 60;

export const TIME = '^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$';

const DAY =
  '(?:[1-9][0-9]{3}-(?:' +
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|' +
  '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|' +
  '02-(?:0[1-9]|1[0-9]|2[0-8]))|' +
  '(?:[1-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[13579][26])00)-02-29)';

/** A date that the Gregorian calendar has, from the year 1000: months by their length, then 29 February. */
export const DATE = `^${DAY}$`;

/** RFC 3339 5.6, where seconds and the zone may be missing: the browser's own control gives neither. */
export const DATE_TIME =
  `^${DAY}[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:\\.[0-9]+)?)?` +
  '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$';

const IS_DATE = new RegExp(DATE, 'u');

/** Whether a text is a date of the calendar as YYYY-MM-DD. */
export function isDate(text: unknown): text is string {
  return typeof text === 'string' && IS_DATE.test(text);
}
