const FIRST_DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 4 * 3600_000;
const GIVE_UP_AFTER_MS = 5 * 24 * 3600_000; // RFC 5321 4.5.4.1

/** When to try again after a deferral, or null when the message has waited long enough. */
export function nextAttempt(
  { now, random }: { now: Date; random: () => number },
  { attempts, acceptedAt }: { attempts: number; acceptedAt: Date },
): Date | null {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  const at = new Date(now.getTime() + delay * (0.9 + random() * 0.2));
  return at.getTime() - acceptedAt.getTime() > GIVE_UP_AFTER_MS ? null : at;
}
