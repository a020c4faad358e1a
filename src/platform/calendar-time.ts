const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Whether a text as YYYY-MM-DD names a day that there is: Date takes the 30th of February for the 2nd of March, and knows a
 * year 0 that PostgreSQL does not.
 */
export function isDay(text: string): boolean {
  const day = DAY.test(text) && !text.startsWith('0000') ? new Date(text) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The moment that a text names in RFC 3339; null where there is no such day or hour, or where it is none. */
export function momentOf(text: string): Date | null {
  const [, day] = MOMENT.exec(text) ?? [];
  const moment = day !== undefined && isDay(day) ? new Date(text) : null;
  return moment === null || Number.isNaN(moment.getTime()) ? null : moment;
}
