const STATES = ['scheduled', 'processing', 'delivered', 'bounced', 'cancelled'] as const;
const HOURS = { day: 24, week: 7 * 24, month: 30 * 24 } as const;

/** What of a search stands in the address; whom a message went to never does. */
export interface MessagesSearch {
  state?: (typeof STATES)[number];
  period?: keyof typeof HOURS;
}

/** Reads the search from an address; what it does not know counts as not said. */
export function readMessagesSearch(raw: Record<string, unknown>): MessagesSearch {
  const state = STATES.find((each) => each === raw.state);
  const period = Object.keys(HOURS).find((each) => each === raw.period) as MessagesSearch['period'];
  return { ...(state === undefined ? {} : { state }), ...(period === undefined ? {} : { period }) };
}

/** Since when messages of a period were accepted, on the minute, so that asking again asks for the same. */
export function sinceOf(period: MessagesSearch['period'], now: Date): string | undefined {
  if (period === undefined) return undefined;
  const since = now.getTime() - HOURS[period] * 3_600_000;
  return new Date(since - (since % 60_000)).toISOString();
}
