const HOUR_MS = 3_600_000;

/** What day it is, which depends on where somebody is. */
export interface Today {
  /** At Greenwich, where ages are reckoned. */
  utc: string;
  /** The earliest day that is today somewhere on earth (UTC-12), and the latest (UTC+14). */
  first: string;
  last: string;
}

/** What day it is at a moment. */
export function todayAt(now: Date): Today {
  return { utc: dayAfter(now, 0), first: dayAfter(now, -12), last: dayAfter(now, 14) };
}

function dayAfter(now: Date, hours: number): string {
  return new Date(now.getTime() + hours * HOUR_MS).toISOString().slice(0, 10);
}
