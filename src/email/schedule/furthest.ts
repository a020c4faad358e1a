const DAY_MS = 24 * 3600_000;

/** How far ahead a message may be put, counted from now. */
export const FURTHEST_AHEAD_MS = 30 * DAY_MS;
/** How long after it was accepted a message may leave at the latest, however often it is put to another time. */
export const FURTHEST_MOVED_MS = 90 * DAY_MS;
/** What waits is younger than this: with the days of trying and of a new domain's warm-up. Older partitions are not looked at. */
export const OLDEST_WAITING_MS = FURTHEST_MOVED_MS + 30 * DAY_MS;
