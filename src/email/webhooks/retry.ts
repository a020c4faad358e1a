const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after a failed attempt the next one is due (Standard Webhooks); the first goes at once. */
const DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const LONGEST_WISH_MS = 24 * HOUR;

/** When to try again after an attempt, or null when it was the last; an endpoint may ask for more time. */
export function nextAttempt(now: Date, attempt: number, retryAfter: string | null): Date | null {
  const delay = DELAYS_MS[attempt - 1];
  if (delay === undefined) return null;
  const wished = Math.min(readRetryAfter(now, retryAfter), LONGEST_WISH_MS);
  return new Date(now.getTime() + Math.max(delay, wished));
}

/** RFC 9110 10.2.3: a number of seconds, or a date. */
function readRetryAfter(now: Date, text: string | null): number {
  if (text === null) return 0;
  if (/^\d+$/.test(text.trim())) return Number(text) * SECOND;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
