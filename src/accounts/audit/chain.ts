import { createHash } from 'node:crypto';

/** An audit row as it enters the chain: text that reads the same on every machine and version. */
export interface ChainedRow {
  id: string;
  customer_id: number;
  at: string;
  actor_kind: string;
  actor_id: string;
  action: string;
  target: string | null;
  request_id: string | null;
  details: Record<string, unknown> | null;
}

export const FIRST_LINK = Buffer.alloc(32);

/** The columns of a chained row, with the time to the microsecond as PostgreSQL holds it. */
export const CHAINED_COLUMNS = `id, customer_id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  actor_kind, actor_id, action, target, request_id, details`;

/** The hash of a row and of everything before it. */
export function linkHash(previous: Buffer, row: ChainedRow): Buffer {
  return createHash('sha256').update(canonical(row)).update(previous).digest();
}

function canonical(row: ChainedRow): string {
  return JSON.stringify([
    row.id,
    row.customer_id,
    row.at,
    row.actor_kind,
    row.actor_id,
    row.action,
    row.target,
    row.request_id,
    row.details === null ? null : sortKeys(row.details),
  ]);
}

function sortKeys(details: Record<string, unknown>): [string, unknown][] {
  return Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
