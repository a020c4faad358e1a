import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ReportedPolicy, TlsResult } from './results.ts';

/** How the TLS of one connection to a mail server of a domain went. */
export interface TlsSession {
  domain: string;
  policy: ReportedPolicy;
  /** Null where it did not come to a server. */
  mxHost: string | null;
  mxAddress: string | null;
  result: TlsResult;
}

export interface TlsTally {
  note(session: TlsSession): void;
  /** Writes down what was counted since the last time; what cannot be written is kept for the next. */
  settle(): Promise<void>;
}

interface Counted extends TlsSession {
  day: string;
  sessions: number;
}

/** Counts connections in memory, so that none of them waits for the database. */
export function createTlsTally({ db, clock }: { db: Database; clock: Clock }): TlsTally {
  let counts = new Map<string, Counted>();
  const add = (counted: Counted) => {
    const { day, domain, policy, mxHost, mxAddress, result, sessions } = counted;
    const name = JSON.stringify([day, domain, policy, mxHost, mxAddress, result]);
    const known = counts.get(name);
    if (known === undefined) counts.set(name, counted);
    else known.sessions += sessions;
  };
  return {
    note: (session) => add({ ...session, day: dayOf(clock.now()), sessions: 1 }),
    async settle() {
      if (counts.size === 0) return;
      const taken = counts;
      counts = new Map();
      try {
        await write(db, [...taken.values()]);
      } catch (error) {
        for (const counted of taken.values()) add(counted);
        throw error;
      }
    },
  };
}

/** The UTC day of an instant, which reports go by (RFC 8460 4.1). */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

async function write(db: Database, counted: Counted[]): Promise<void> {
  const rows = counted.map(({ policy: { type, text, mxPatterns }, mxHost, mxAddress, ...rest }) => {
    const policy = { type, text, mxPatterns };
    const hash = createHash('sha256').update(JSON.stringify(policy)).digest('hex');
    return { ...rest, policy, policy_hash: `\\x${hash}`, mx_host: mxHost ?? '', mx_address: mxAddress ?? '' };
  });
  // In one order, so that two nodes never wait for each other.
  await db.untenanted((tx) =>
    sql`
      insert into tls_report_counts as c (day, domain, policy_hash, mx_host, mx_address, result, policy, sessions)
      select day, domain, policy_hash, mx_host, mx_address, result, policy, sessions
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (day date, domain text, policy_hash bytea,
        mx_host text, mx_address text, result text, policy jsonb, sessions bigint)
      order by day, domain, policy_hash, mx_host, mx_address, result
      on conflict (day, domain, policy_hash, mx_host, mx_address, result)
      do update set sessions = c.sessions + excluded.sessions`.execute(tx),
  );
}
