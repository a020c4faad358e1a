const HOUR_MS = 3_600_000;

/** What day it is, which depends on where somebody is. */
export interface Today {
  /** At Greenwich, where ages are reckoned. */
  utc: string;
  /** The earliest day that is today somewhere on earth (UTC-12), and the latest (UTC+14). */
  first: string;
  last: string;
}

let lastHour = Number.NaN;
let lastToday: Today = { utc: '', first: '', last: '' };

/** What day it is at a moment. Every answer is checked against it, and it changes with an hour at most. */
export function todayAt(now: Date): Today {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  if (hour !== lastHour) {
    lastToday = { utc: dayAfter(now, 0), first: dayAfter(now, -12), last: dayAfter(now, 14) };
    lastHour = hour;
  }
  return lastToday;
}

function dayAfter(now: Date, hours: number): string {
  return new Date(now.getTime() + hours * HOUR_MS).toISOString().slice(0, 10);
}
