/** How many people one message goes to at most, with cc and bcc. */
export const MOST_RECIPIENTS = 100;

/** How many addresses To and Cc show at most, in one message that came with headers of its own. */
export const MOST_SHOWN = 1_000;

/** How many entries name them: whoever is named twice is one, and some clients send blank ones. */
export const MOST_NAMED = 1_000;

/** How much the text of one message may say, and its HTML, in bytes of UTF-8 each. */
export const MOST_BODY_BYTES = 5 * 2 ** 20;

/** How much may be attached to one message in all. */
export const MOST_ATTACHED_BYTES = 50 * 2 ** 20;

/** How much the headers of one message may hold in all, names and values. */
export const MOST_HEADER_BYTES = 256 * 1024;

/** Headers that travel on as they are given; others are ignored. */
export const KEPT_HEADER = /^(x-.+|list-.+|in-reply-to|references)$/i;

export const HEADER_NAME = /^[!-9;-~]+$/; // RFC 5322 3.6.8

/** What is said of a header that cannot leave. */
export const UNFOLDABLE = 'cannot be folded into lines of 998 characters'; // RFC 5322 2.1.1

/** What has no place in a header. */
export const LINE_BREAK = /[\0\r\n]/;

/** What ends a line for some reader or other: an encoded word may hold any of it, which RFC 2047 5 forbids. */
export const ANY_LINE_BREAK = /[\0\r\n\u0085\u2028\u2029]/;
