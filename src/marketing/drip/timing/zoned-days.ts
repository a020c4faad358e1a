import { zoneOr } from '../../local-time.ts';
import { momentOf } from './occasions.ts';

const MINUTE = 60_000;
/** Clocks of all zones show the same minute of a quarter of an hour. */
const QUARTER = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;

/** A day as it comes to the people of a zone: the moment at which their clocks show a time on it. */
export interface ZonedDay {
  /** Null for people of whom no zone is known. */
  zone: string | null;
  day: string;
  at: Date;
}

/** The days on which clocks show a time after one moment and up to another, zone by zone. */
export function occasionsBetween(
  time: string,
  { zones, fallback }: { zones: (string | null)[]; fallback: string },
  after: Date,
  upTo: Date,
): ZonedDay[] {
  return zones.flatMap((zone) =>
    daysAround(after, upTo)
      .map((day) => ({ zone, day, at: momentOf(day, time, zoneOr(zone, fallback)) }))
      .filter(({ at }) => at > after && at <= upTo),
  );
}

/** The first moment after another at which the clocks of some zone may show a time. */
export function nextInAnyZone(time: string, after: Date): Date {
  const minute = Number(time.slice(3)) * MINUTE;
  return new Date((Math.floor((after.getTime() - minute) / QUARTER) + 1) * QUARTER + minute);
}

/** The days of the calendar that any zone has between two moments. */
function daysAround(after: Date, upTo: Date): string[] {
  const days: string[] = [];
  for (let at = after.getTime() - DAY; at < upTo.getTime() + 2 * DAY; at += DAY) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}
