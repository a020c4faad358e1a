import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { DayCount } from './report.ts';
import { dayOf } from './tally.ts';

const MINUTE = 60_000;
const DAY_MS = 24 * 60 * MINUTE;
/** The last counts of a day are written down a few seconds after it. */
const FIRST_AFTER_MS = 5 * MINUTE;
const SPREAD_MS = 4 * 60 * MINUTE; // RFC 8460 4.1
const LEASE_MS = 10 * MINUTE;
const FIRST_DELAY_MS = 10 * MINUTE;
const LONGEST_DELAY_MS = 4 * 60 * MINUTE;
const COUNTS_KEPT_DAYS = 30;
/** How long this installation may have been down and still reports on the days before. */
const REPORTED_DAYS = 7;

interface Deps {
  db: Database;
  clock: Clock;
  random?: () => number;
}

/** A report that is this process's to send until the lease ends. */
export interface DueReport {
  day: string;
  domain: string;
  report_id: string;
  attempts: number;
  taken_by: string[];
  maybe_by: string[];
  begin_at: Date;
}

/** Writes down the reports that the last days call for, each to be sent at a moment of its own today. */
export async function planReports({ db, clock, random = Math.random }: Deps): Promise<void> {
  const now = clock.now();
  const midnight = Date.parse(`${dayOf(now)}T00:00:00Z`);
  const first = dayOf(new Date(midnight - REPORTED_DAYS * DAY_MS));
  const oldest = dayOf(new Date(midnight - COUNTS_KEPT_DAYS * DAY_MS));
  await db.untenanted(async (tx) => {
    const { rows } = await sql<{ day: string; domain: string }>`
      select distinct day::text, domain from tls_report_counts c
      where day >= ${first}::date and day < ${dayOf(now)}::date
        and not exists (select from tls_reports_sent s where s.day = c.day and s.domain = c.domain)
      order by day, domain`.execute(tx);
    const planned = rows.map(({ day, domain }) => {
      const at = new Date(midnight + FIRST_AFTER_MS + random() * SPREAD_MS).toISOString();
      return { day, domain, report_id: timeOrderedId(clock), at };
    });
    await sql`
      insert into tls_reports_sent (day, domain, report_id, state, begin_at, due_at)
      select day, domain, report_id, 'waiting', at, at from json_to_recordset(${JSON.stringify(planned)}::json)
        as p (day date, domain text, report_id uuid, at timestamptz)
      on conflict do nothing`.execute(tx);
    await sql`delete from tls_report_counts where day < ${oldest}::date`.execute(tx);
  });
}

/** Takes reports that are due. */
export async function takeDue({ db, clock }: Deps, most: number): Promise<DueReport[]> {
  const now = clock.now();
  const { rows } = await db.untenanted((tx) =>
    sql<DueReport>`
      update tls_reports_sent s set due_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = attempts + 1
      from (select day, domain from tls_reports_sent where due_at <= ${now} order by due_at limit ${most}
        for update skip locked) d
      where s.day = d.day and s.domain = d.domain
      returning s.day::text, s.domain, s.report_id, s.attempts, s.taken_by, s.maybe_by, s.begin_at`.execute(tx),
  );
  return rows;
}

/** What was counted for a report. */
export async function readCounts({ db }: Deps, { day, domain }: DueReport): Promise<DayCount[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<DayCount>`
      select policy, mx_host, mx_address, result, sessions from tls_report_counts
      where day = ${day}::date and domain = ${domain}
      order by policy_hash, mx_host, mx_address, result`.execute(tx),
  );
  return rows;
}

/** Writes down at once who has a report, or may have it: it does not go there again, whoever holds the lease by then. */
export async function noteTarget(
  { db }: Deps,
  { day, domain }: DueReport,
  target: string,
  came: 'taken' | 'maybe',
): Promise<void> {
  const column = sql.ref(`${came}_by`);
  await db.untenanted((tx) =>
    sql`
      update tls_reports_sent set ${column} = array_append(${column}, ${target})
      where day = ${day}::date and domain = ${domain} and not ${target} = any (${column})`.execute(tx),
  );
}

/** Ends a report. */
export function settleReport(deps: Deps, report: DueReport, state: 'sent' | 'not-wanted' | 'given-up'): Promise<void> {
  return write(deps, report, { state, dueAt: null });
}

/** Lets a report wait, each time for longer. */
export function putOff(deps: Deps, report: DueReport): Promise<void> {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (report.attempts - 1), LONGEST_DELAY_MS);
  return write(deps, report, { state: 'waiting', dueAt: new Date(deps.clock.now().getTime() + delay) });
}

async function write(
  { db, clock }: Deps,
  { day, domain, attempts }: DueReport,
  { state, dueAt }: { state: string; dueAt: Date | null },
): Promise<void> {
  // A lease that was lost meanwhile is no longer ours to settle: the attempt number tells.
  await db.untenanted((tx) =>
    sql`
      update tls_reports_sent set state = ${state}, due_at = ${dueAt},
        settled_at = ${dueAt === null ? clock.now() : null}
      where day = ${day}::date and domain = ${domain} and attempts = ${attempts}`.execute(tx),
  );
}
