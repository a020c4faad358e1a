const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A day as people write it. */
export function dayInWords(time: Date): string {
  return DAY.format(time);
}

/** A moment as people write it. */
export function momentInWords(time: Date): string {
  return `${MOMENT.format(time)} UTC`;
}
