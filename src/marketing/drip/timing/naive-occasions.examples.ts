import type { DateTrigger } from './occasions.ts';

// Goes from a date to its days, where the product goes from a day to its dates: tests hold one against the other.

const DAY = 24 * 60 * 60_000;

/** The days, from one to another and both included, on which somebody with a date is due. All are such as 1985-04-12. */
export function occasionsWithin(
  date: string,
  trigger: Pick<DateTrigger, 'every' | 'days'>,
  fromDay: string,
  toDay: string,
): string[] {
  const offset = trigger.days * DAY;
  const [first, from, to] = [startOf(date), startOf(fromDay) - offset, startOf(toDay) - offset];
  const dates = trigger.every === 'once' ? [first] : anniversaries(first, from, to);
  return dates.filter((at) => at >= from && at <= to).map((at) => dayOf(at + offset));
}

/** The same day in every year which two moments are in or between, from its own on. */
function anniversaries(first: number, from: number, to: number): number[] {
  const own = new Date(first);
  const lastYear = new Date(to).getUTCFullYear();
  const days: number[] = [];
  let year = Math.max(own.getUTCFullYear(), new Date(from).getUTCFullYear());
  for (; year <= lastYear; year += 1) days.push(inYear(own, year));
  return days;
}

/** The same day in another year, in which the 29th of February may be the 28th. */
function inYear(own: Date, year: number): number {
  const day = new Date(own);
  day.setUTCFullYear(year);
  if (day.getUTCMonth() !== own.getUTCMonth()) day.setUTCDate(0);
  return day.getTime();
}

/** NaN for what is not a day of the calendar, such as 2026-02-30. */
function startOf(day: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(start) || dayOf(start) !== day ? Number.NaN : start;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
