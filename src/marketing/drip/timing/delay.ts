import { instantOf, localTime } from '../../local-time.ts';
import type { Span, Until } from '../graph/graph.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Nobody waits for longer. */
const LATEST = Date.UTC(2200, 0, 1);

/** When a span that begins at a moment is over; a day later is the same time of day by the clock of the zone. */
export function afterSpan(from: Date, span: Span, timeZone: string): Date {
  const { months = 0, weeks = 0, days = 0, hours = 0, minutes = 0 } = span;
  const day = daysLater(from.getTime(), months, weeks * 7 + days, timeZone);
  const over = Math.min(day + hours * HOUR + minutes * MINUTE, LATEST);
  return new Date(Math.max(over, from.getTime()));
}

/** The first moment after another at which the clock of the zone shows a time, on the day of the week if one is given. */
export function nextUntil(from: Date, until: Until, timeZone: string): Date {
  const midnight = Math.floor(localTime(from.getTime(), timeZone) / DAY) * DAY;
  const time = Date.parse(`1970-01-01T${until.time}Z`);
  const step = until.weekday === undefined ? 1 : 7;
  let day = until.weekday === undefined ? 0 : daysUntil(until.weekday, midnight);
  let next = instantOf(midnight + day * DAY + time, timeZone);
  while (next <= from.getTime()) {
    day += step;
    next = instantOf(midnight + day * DAY + time, timeZone);
  }
  return new Date(next);
}

/** The same time of day some months and then days later. */
function daysLater(from: number, months: number, days: number, timeZone: string): number {
  // By way of the clock, the second of two hours that look alike would become the first.
  if (months === 0 && days === 0) return from;
  const local = monthsLater(localTime(from, timeZone), months) + days * DAY;
  return local < LATEST + DAY ? instantOf(local, timeZone) : LATEST;
}

/** The same day of the month and time some months later, or the last day of a month that is too short. */
function monthsLater(local: number, months: number): number {
  const date = new Date(local);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== dayOfMonth) date.setUTCDate(0);
  return date.getTime();
}

/** From the day of a local time on, 0 to 6. */
function daysUntil(weekday: number, local: number): number {
  return (weekday - new Date(local).getUTCDay() + 7) % 7;
}
