/** How much of a second a send may run ahead of its pace, so that it need not look at the clock for every mail. */
const AHEAD_MS = 1_000;

/** How many mails may go out now, where the next is due at `pacedUntil` and each takes its part of a second. */
export function allowance(now: Date, perSecond: number, pacedUntil: Date | null): number {
  const from = Math.max(pacedUntil?.getTime() ?? 0, now.getTime());
  const room = now.getTime() + AHEAD_MS - from;
  return Math.max(0, Math.floor((room * perSecond) / 1_000));
}

/** When the next mail is due after so many have gone out. */
export function paceAfter(now: Date, perSecond: number, pacedUntil: Date | null, sent: number): Date {
  const from = Math.max(pacedUntil?.getTime() ?? 0, now.getTime());
  return new Date(from + (sent * 1_000) / perSecond);
}

/** Slots for mails to one domain, the first of which may be due now; each next one waits its turn. */
export function slots(now: Date, perMinute: number, nextAt: Date | null, count: number): { at: Date[]; next: Date } {
  const interval = 60_000 / perMinute;
  const first = Math.max(nextAt?.getTime() ?? 0, now.getTime());
  const at = Array.from({ length: count }, (_, index) => new Date(first + index * interval));
  return { at, next: new Date(first + count * interval) };
}
