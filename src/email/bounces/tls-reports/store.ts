import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import type { PolicySummary, TlsReport } from './read.ts';
import '../../tables.ts';

const MOST_LISTED = 100;
const DAY_MS = 24 * 3600_000;
const KEPT_MS = 90 * DAY_MS;
const MOST_A_DAY = 1_000;

export interface KeepDeps {
  db: Database;
  clock: Clock;
  /** The names under which this installation takes mail, in lower case. */
  ownNames: readonly string[];
}

export interface ReceivedTlsReport extends TlsReport {
  receivedAt: Date;
}

/**
 * Keeps what a TLS report says of names of ours; the same one twice is one. A report on nobody here, and those beyond a
 * thousand a day, are taken and forgotten: whoever likes may send them.
 */
export async function keepTlsReport({ db, clock, ownNames }: KeepDeps, report: TlsReport): Promise<void> {
  const { organization, reportId, start, end } = report;
  const now = clock.now();
  await db.untenanted(async (tx) => {
    const policies = await ownPolicies(tx, ownNames, report.policies);
    if (policies.length === 0) return;
    await sql`
      insert into tls_reports_received (id, organization, report_id, range_start, range_end, policies, received_at)
      select ${timeOrderedId(clock)}::uuid, ${organization}, ${reportId}, ${start}::timestamptz, ${end}::timestamptz,
        ${JSON.stringify(policies)}::jsonb, ${now}::timestamptz
      where (select count(*) from tls_reports_received
        where received_at > ${new Date(now.getTime() - DAY_MS)}) < ${MOST_A_DAY}
      on conflict (organization, report_id) do nothing`.execute(tx);
  });
}

/** What is said of names of ours; those of the sending domains' return paths are looked up. */
async function ownPolicies(tx: Tx, ownNames: readonly string[], policies: PolicySummary[]): Promise<PolicySummary[]> {
  const named = [...new Set(policies.map(({ domain }) => domain))];
  const { rows } = await sql<{ name: string }>`select name from own_return_paths(${named}::text[]) as name`.execute(tx);
  const own = new Set([...ownNames, ...rows.map(({ name }) => name)]);
  return policies.filter(({ domain }) => own.has(domain));
}

/** The newest TLS reports that were received. */
export async function listTlsReports(db: Database): Promise<ReceivedTlsReport[]> {
  const rows = await db.untenanted((tx) =>
    tx
      .selectFrom('tls_reports_received')
      .selectAll()
      .orderBy('received_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MOST_LISTED)
      .execute(),
  );
  return rows.map(({ organization, report_id: reportId, range_start: start, range_end: end, policies, ...rest }) => ({
    organization,
    reportId,
    start,
    end,
    policies,
    receivedAt: rest.received_at,
  }));
}

/** Removes TLS reports after 90 days. */
export async function sweepTlsReports({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const end = new Date(clock.now().getTime() - KEPT_MS);
  await db.untenanted((tx) => tx.deleteFrom('tls_reports_received').where('received_at', '<', end).execute());
}
