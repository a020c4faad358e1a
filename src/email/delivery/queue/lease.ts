import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { firstIdAt } from '../../../platform/ids.ts';
import { OLDEST_WAITING_MS } from '../../schedule/furthest.ts';
import { LEASE_DUE, LEASE_PARKED } from './lease-statements.ts';

export const LEASE_MS = 60_000;

/** A recipient that is this process's to deliver until the lease ends. */
export interface Lease {
  message_id: string;
  ordinal: number;
  customer_id: number;
  domain: string;
  attempts: number;
  started_at: Date;
  first_tried_at: Date;
  /** Since when its servers have had no TLS, if this attempt finds the same. */
  no_tls_since: Date;
}

interface Deps {
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
}

/**
 * What was taken, and the customer to go on after, so that everybody has their turn; 0 begins anew, with the mail of the
 * installation itself, which is customer 0.
 */
export interface Taken {
  leases: Lease[];
  next: number;
  /** Whether somebody may have more than was taken now. */
  more: boolean;
  /** How many of them were under way before, with nobody to say how that ended. */
  expired: number;
}

/**
 * Takes recipients that are due, some of each customer's, and puts those for full servers aside. The attempt is written
 * before the dialogue begins, so that a crash in the middle of it leaves a trace; a lease that nobody settles falls due
 * again by itself, and what became of its attempt is then uncertain.
 */
export function leaseDue(
  deps: Deps,
  { most, full, after }: { most: number; full: string[]; after: number },
): Promise<Taken & { parked: number }> {
  const now = deps.clock.now();
  const oldest = firstIdAt(new Date(now.getTime() - OLDEST_WAITING_MS));
  return lease(deps, { name: 'lease-due', text: LEASE_DUE }, { now, most, after, beside: [oldest, full] });
}

/** Takes recipients of a domain that stand aside, some of each customer's. */
export function leaseParked(
  deps: Deps,
  { domain, most, after }: { domain: string; most: number; after: number },
): Promise<Taken> {
  const now = deps.clock.now();
  return lease(deps, { name: 'lease-parked', text: LEASE_PARKED }, { now, most, after, beside: [domain] });
}

interface Row {
  lease:
    | (Omit<Lease, 'started_at' | 'first_tried_at' | 'no_tls_since'> & {
        first: string | null;
        no_tls: string | null;
      })
    | null;
  next: number;
  parked: number;
  expired: number;
  more: boolean;
}

interface Wanted {
  now: Date;
  most: number;
  after: number;
  /** What only one of the statements asks for. */
  beside: unknown[];
}

async function lease(
  { db }: Deps,
  statement: { name: string; text: string },
  { now, most, after, beside }: Wanted,
): Promise<Taken & { parked: number }> {
  const until = new Date(now.getTime() + LEASE_MS);
  const values = [now, until, most, after === 0 ? -1 : after, ...beside];
  const rows = await db.call<Row>({ ...statement, values });
  const [{ next, parked, expired, more }] = rows as [Row, ...Row[]];
  return { leases: leasesOf(rows, now), next, parked, expired, more };
}

function leasesOf(rows: Row[], now: Date): Lease[] {
  const since = (text: string | null) => (text === null ? now : new Date(text));
  return rows.flatMap(({ lease: found }) => {
    if (found === null) return [];
    const { first, no_tls: noTls, ...rest } = found;
    return [{ ...rest, started_at: now, first_tried_at: since(first), no_tls_since: since(noTls) }];
  });
}
