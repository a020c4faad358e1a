const MOST_KNOWN = 1_000;
/** Asking takes as long as reading a hundred rows of a file. */
const known = new Set<string>();

/** Whether a text names a time zone, such as America/New_York. */
export function isTimeZone(text: string): boolean {
  if (known.has(text)) return true;
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
    if (known.size < MOST_KNOWN) known.add(text);
    return true;
  } catch {
    return false;
  }
}
