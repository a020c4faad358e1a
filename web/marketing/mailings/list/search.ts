/** What is looked for in the list of mailings, and how it is sorted. */
export interface ListSearch {
  find?: string;
  by?: string;
  order?: 'asc' | undefined;
}

const ORDERS = ['updated_at', 'subject', 'sent', 'delivered', 'viewed', 'clicked'];

/** Reads it from an address. */
export function readListSearch({ find, by, order }: Record<string, unknown>): ListSearch {
  return {
    ...(typeof find === 'string' && find !== '' ? { find } : {}),
    ...(typeof by === 'string' && ORDERS.includes(by) ? { by } : {}),
    ...(order === 'asc' ? { order } : {}),
  };
}
