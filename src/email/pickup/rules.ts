export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How long a message waits to be picked up. */
export const KEPT_DAYS = 30;

/** How long somebody who has shown a code may read and answer. */
export const SESSION_MINUTES = 30;

export const CODE_DIGITS = 8;
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;
export const CODES_AN_HOUR = 3;
export const CODES_A_DAY = 10;

export const LONGEST_REPLY = 20_000;
export const REPLIES_A_DAY = 20;
