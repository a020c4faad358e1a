const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** A day of the calendar, as people write it. */
export function dayInWords(day: string): string {
  return DAY.format(new Date(day));
}
