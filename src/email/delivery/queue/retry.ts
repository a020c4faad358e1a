const FIRST_DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 4 * 3600_000;
const GIVE_UP_AFTER_MS = 5 * 24 * 3600_000; // RFC 5321 4.5.4.1
/** A server without TLS will hardly have it tomorrow, and whoever sent the message wants to know. */
const WITHOUT_TLS_MS = 4 * 3600_000;

/** When to try again after a deferral, or null when it has been tried for long enough. */
export function nextAttempt(
  { now, random }: { now: Date; random: () => number },
  { attempts, firstTriedAt, noTlsSince = null }: { attempts: number; firstTriedAt: Date; noTlsSince?: Date | null },
): Date | null {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  const at = now.getTime() + delay * (0.9 + random() * 0.2);
  if (noTlsSince !== null) {
    const last = noTlsSince.getTime() + WITHOUT_TLS_MS; // by then the wait between two attempts may be as long
    return now.getTime() >= last ? null : new Date(Math.min(at, last));
  }
  return at - firstTriedAt.getTime() > GIVE_UP_AFTER_MS ? null : new Date(at);
}
