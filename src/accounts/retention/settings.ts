import type { Insertable } from 'kysely';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { invalidField } from '../../platform/errors.ts';
import { recordAct } from '../audit/record.ts';
import { readReason } from '../holds/read-reason.ts';
import '../tables.ts';

/** For how many days each class of records is kept, and the audit log for how many years. */
export interface RetentionTimes {
  contentDays: number;
  sandboxDays: number;
  logDays: number;
  webhookDays: number;
  workDays: number;
  marketingDays: number;
  auditYears: number;
}

/** What a customer has chosen for itself; null is what the operator has set. */
export type RetentionChoice = { [Name in keyof RetentionTimes]: number | null };

/**
 * Who got which mailing is kept for so many days at least, whatever was chosen. 15 U.S.C. 7704(a)(3)(A)(ii) asks that the way
 * out of a mail works for 30 days; mail programs show old mail for longer.
 */
export const WAY_OUT_DAYS = 60;

/** 45 CFR 164.316(b)(2)(i) */
const LEAST_AUDIT_YEARS = 6;
const MOST_AUDIT_YEARS = 100;

const COLUMNS = {
  contentDays: 'content_days',
  sandboxDays: 'sandbox_days',
  logDays: 'log_days',
  webhookDays: 'webhook_days',
  workDays: 'work_days',
  marketingDays: 'marketing_days',
  auditYears: 'audit_years',
} as const satisfies Record<keyof RetentionTimes, keyof Tables['retention_settings']>;
const NAMES = Object.keys(COLUMNS) as (keyof RetentionTimes)[];

/** What a customer has chosen. */
export async function readRetentionChoice(tx: Tx, customerId: number): Promise<RetentionChoice> {
  const row = await tx
    .selectFrom('retention_settings')
    .selectAll()
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return Object.fromEntries(NAMES.map((name) => [name, row?.[COLUMNS[name]] ?? null])) as unknown as RetentionChoice;
}

/**
 * How long records of a customer are kept: never longer than the operator says, but for the audit log. The content of a
 * message does not outlive its place in the log.
 */
export async function retentionOf(tx: Tx, customerId: number, operator: RetentionTimes): Promise<RetentionTimes> {
  const choice = await readRetentionChoice(tx, customerId);
  const times = Object.fromEntries(
    NAMES.map((name) => [name, Math.min(choice[name] ?? operator[name], operator[name])]),
  ) as unknown as RetentionTimes;
  return {
    ...times,
    contentDays: Math.min(times.contentDays, times.logDays),
    auditYears: choice.auditYears ?? operator.auditYears,
  };
}

/** Changes what a customer has chosen; what is not named stays. The audit log is kept for six years at least. */
export async function chooseRetention(
  tx: Tx,
  { clock, act, operator }: { clock: Clock; act: Act; operator: RetentionTimes },
  choice: Partial<RetentionChoice>,
): Promise<void> {
  for (const name of NAMES) requireWithin(name, choice[name] ?? null, operator);
  const audit = 'auditYears' in choice ? { audit_reason: null } : {};
  await write(tx, clock, act.customerId, { ...columnsOf(choice), ...audit });
  await recordAct(tx, clock, act, { details: { changed: Object.keys(choice) } });
}

/** Lets the audit log of a customer be kept for less than six years: for whoever runs the installation, with a reason. */
export async function overrideAuditRetention(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { years, ...given }: { years: number; reason: string },
): Promise<void> {
  if (!Number.isInteger(years) || years < 1 || years > MOST_AUDIT_YEARS)
    throw invalidField('years', `takes a whole number from 1 to ${MOST_AUDIT_YEARS}`);
  const reason = readReason(given.reason);
  await write(tx, clock, act.customerId, { audit_years: years, audit_reason: reason });
  await recordAct(tx, clock, act, { details: { years, reason } });
}

type Columns = Partial<Insertable<Tables['retention_settings']>>;

const NOTHING_CHOSEN = {
  content_days: null,
  sandbox_days: null,
  log_days: null,
  webhook_days: null,
  work_days: null,
  marketing_days: null,
  audit_years: null,
  audit_reason: null,
};

async function write(tx: Tx, clock: Clock, customerId: number, columns: Columns): Promise<void> {
  const change = { ...columns, updated_at: clock.now() };
  await tx
    .insertInto('retention_settings')
    .values({ ...NOTHING_CHOSEN, ...change, customer_id: customerId })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(change))
    .execute();
}

function columnsOf(choice: Partial<RetentionChoice>): Columns {
  return Object.fromEntries(
    Object.entries(choice).map(([name, value]) => [COLUMNS[name as keyof RetentionTimes], value]),
  );
}

function requireWithin(name: keyof RetentionTimes, wanted: number | null, operator: RetentionTimes): void {
  if (wanted === null) return;
  if (name !== 'auditYears') {
    if (wanted >= 1 && wanted <= operator[name]) return;
    throw invalidField(COLUMNS[name], `takes 1 to ${operator[name]} days, as the operator has set`);
  }
  if (wanted >= LEAST_AUDIT_YEARS && wanted <= MOST_AUDIT_YEARS) return;
  throw invalidField(COLUMNS.auditYears, `takes ${LEAST_AUDIT_YEARS} to ${MOST_AUDIT_YEARS} years`);
}
