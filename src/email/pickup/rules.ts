export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How long a message waits to be picked up. */
export const KEPT_DAYS = 30;

/** How long somebody who has shown a code may read and answer. */
export const SESSION_MINUTES = 30;

export const LONGEST_REPLY = 20_000;
export const REPLIES_A_DAY = 20;
