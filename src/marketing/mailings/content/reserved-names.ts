/** The beginning of the names that only the sender of a mailing gives. */
export const RESERVED_PREFIX = 'carepost_';
export const LINKS = `${RESERVED_PREFIX}links`;
export const PIXEL = `${RESERVED_PREFIX}pixel`;
export const UNSUBSCRIBE_URL = 'unsubscribe_url';
