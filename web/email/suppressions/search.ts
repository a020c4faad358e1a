const REASONS = ['hard_bounce', 'complaint', 'manual', 'opt_out'] as const;

/** What of a search stands in the address of the page; whose address is looked for never does. */
export interface SuppressionsSearch {
  reason?: (typeof REASONS)[number];
}

/** Reads the search from an address; what it does not know counts as not said. */
export function readSuppressionsSearch(raw: Record<string, unknown>): SuppressionsSearch {
  const reason = REASONS.find((each) => each === raw.reason);
  return reason === undefined ? {} : { reason };
}
