const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How long a session lasts in which nobody does anything. */
export const IDLE_MS = 15 * MINUTE;
/** How long a session lasts at most. */
export const LONGEST_MS = 12 * 60 * MINUTE;
/** How long the second factor counts as just shown. */
export const FRESH_MS = 10 * MINUTE;
/** How often at most it is written down that somebody is still there. */
export const SEEN_MS = 10 * SECOND;
/** How often somebody may be wrong before the session ends. */
export const MOST_TRIES = 5;
/** How long a challenge waits for a passkey. */
export const CHALLENGE_MS = 5 * MINUTE;
