import type { Span, Until } from '../../../src/marketing/drip/graph/graph.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall of a zone shows, counted as if the zone were UTC. */
function wallClock(at: number, zone: string): number {
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...EVERYTHING });
  clocks.set(zone, clock);
  const shown = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
}

const EVERYTHING = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

/** The first moment at which a clock on the wall shows a time, or at which it has jumped over it. */
function momentOf(wall: number, zone: string): number {
  const offsets = [-26, 0, 26].map((hours) => wallClock(wall + hours * HOUR, zone) - (wall + hours * HOUR));
  const exact = offsets.map((offset) => wall - offset).filter((moment) => wallClock(moment, zone) === wall);
  if (exact.length > 0) return Math.min(...exact);
  // Clocks jump at full minutes.
  let moment = Math.floor((wall - Math.max(...offsets)) / MINUTE) * MINUTE;
  while (wallClock(moment, zone) < wall) moment += MINUTE;
  return moment;
}

/** When a span is over: months, weeks and days by the calendar, hours and minutes by the clock. */
export function later(from: number, span: Span, zone: string): number {
  const { months = 0, weeks = 0, days = 0, hours = 0, minutes = 0 } = span;
  const rest = hours * HOUR + minutes * MINUTE;
  if (months === 0 && weeks === 0 && days === 0) return from + rest;
  const wall = new Date(wallClock(from, zone));
  const lastDay = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + months + 1, 0)).getUTCDate();
  const day = months === 0 ? wall.getUTCDate() : Math.min(wall.getUTCDate(), lastDay);
  const midnight = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + months, day);
  const timeOfDay = wall.getTime() % DAY;
  return Math.max(from, momentOf(midnight + (7 * weeks + days) * DAY + timeOfDay, zone) + rest);
}

/** The next moment, never this one, at which a clock on the wall shows a time on a day of the week or on any. */
export function next(from: number, { weekday, time }: Until, zone: string): number {
  const today = Math.floor(wallClock(from, zone) / DAY) * DAY;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  for (let day = today; ; day += DAY) {
    const moment = momentOf(day + hours * HOUR + minutes * MINUTE, zone);
    const isDay = weekday === undefined || weekday % 7 === new Date(day).getUTCDay();
    if (isDay && moment > from) return moment;
  }
}
