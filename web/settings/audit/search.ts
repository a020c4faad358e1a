/** What the audit log is filtered by, as the address says it: ids, names of actions and days. */
export interface AuditSearch {
  actor?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
}

const NAMES = ['actor', 'action', 'target', 'from', 'to'] as const;

/** Reads the filters out of an address. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** The filters as the server takes them: days become the moments at which they begin and end here. */
export function queryOf({ from, to, ...rest }: AuditSearch): AuditSearch {
  return {
    ...rest,
    ...(from === undefined ? {} : { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}
