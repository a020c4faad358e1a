/** More than there are time zones, with all their names. */
const MOST_CLOCKS = 700;
const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

/** Making a clock takes as long as asking it two hundred times; null for a zone which nobody knows. */
const clocks = new Map<string, Intl.DateTimeFormat | null>();

/** What the clocks of a zone show at a moment, counted as if the zone were UTC. */
export function localTime(at: number, timeZone: string): number {
  return at + offsetAt(at, timeZone);
}

/**
 * The moment in which clocks of a zone show a time; that time is counted as if the zone were UTC.
 * The first of two where clocks are put back over it, and the end of the gap where they are put forward over it.
 */
export function instantOf(local: number, timeZone: string): number {
  // Since 1900 no zone has put its clocks forward or back twice within two days.
  const before = offsetAt(local - DAY, timeZone);
  const after = offsetAt(local + DAY, timeZone);
  const byBefore = local - before;
  const byAfter = local - after;
  if (before === after || offsetAt(byBefore, timeZone) === before) return byBefore;
  if (offsetAt(byAfter, timeZone) === after) return byAfter;
  return firstChange(byAfter, byBefore, timeZone);
}

/** A zone that is known here: the first of the two that is. */
export function zoneOr(timeZone: string | null, fallback: string): string {
  if (timeZone !== null && clockOf(timeZone)) return timeZone;
  return clockOf(fallback) ? fallback : 'UTC';
}

/** The first moment after one, and up to another, at which clocks are not as far from UTC as at the earlier. */
function firstChange(from: number, to: number, timeZone: string): number {
  const offset = offsetAt(from, timeZone);
  // Clocks are put forward and back at full seconds.
  let [unchanged, changed] = [Math.floor(from / SECOND), Math.ceil(to / SECOND)];
  while (changed - unchanged > 1) {
    const between = Math.floor((unchanged + changed) / 2);
    if (offsetAt(between * SECOND, timeZone) === offset) unchanged = between;
    else changed = between;
  }
  return changed * SECOND;
}

/** How far the clocks of a zone are ahead of UTC. They were so by odd seconds before there were time zones. */
function offsetAt(at: number, timeZone: string): number {
  const clock = clockOf(timeZone);
  if (!clock) throw new RangeError(`There is no time zone ${timeZone}`);
  const shown = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(clock.format(at));
  if (!shown) return 0;
  const [, sign, hours, minutes, seconds = 0] = shown;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -size : size) * SECOND;
}

function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  const clock = newClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

/** It shows the hour and what is of use: how far the zone is from UTC, such as 9 AM GMT-05:00. */
function newClock(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}
