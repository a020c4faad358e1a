import { invalidField } from '../../../platform/errors.ts';
import { FAILURES } from '../../tls-reports/results.ts';

const MOST_POLICIES = 100;
const MOST_FAILURES = 100;
const LONGEST_TEXT = 255;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
const POLICY_TYPES = new Set(['tlsa', 'sts', 'no-policy-found']); // RFC 8460 4.4
const RESULT_TYPES: ReadonlySet<string> = new Set(FAILURES);
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

interface Failure {
  type: string;
  sessions: number;
}

/** What a report says of one policy: how many connections it let through, and how many failed for which reasons. */
export interface PolicySummary {
  type: string;
  domain: string;
  successful: number;
  failed: number;
  failures: Failure[];
}

/** A TLS report (RFC 8460 4.4), as far as it is kept. */
export interface TlsReport {
  organization: string;
  reportId: string;
  start: Date;
  end: Date;
  policies: PolicySummary[];
}

type Fields = Record<string, unknown>;

/** Reads a TLS report, or throws naming the field that is wrong. */
export function readTlsReport(text: string): TlsReport {
  const report = fieldsOf(parse(text), 'report');
  const range = fieldsOf(report['date-range'], 'date-range');
  const [start, end] = [momentOf(range, 'start-datetime'), momentOf(range, 'end-datetime')];
  if (end < start) throw invalidField('end-datetime', 'comes before start-datetime');
  return {
    organization: textOf(report, 'organization-name'),
    reportId: textOf(report, 'report-id'),
    start,
    end,
    policies: merge(listOf(report, 'policies', MOST_POLICIES).map(readPolicy)),
  };
}

function readPolicy(value: unknown): PolicySummary {
  const entry = fieldsOf(value, 'policies');
  const policy = fieldsOf(entry.policy, 'policy');
  const summary = fieldsOf(entry.summary, 'summary');
  const type = textOf(policy, 'policy-type');
  if (!POLICY_TYPES.has(type)) throw invalidField('policy-type', 'must be tlsa, sts or no-policy-found');
  return {
    type,
    domain: textOf(policy, 'policy-domain').toLowerCase(),
    successful: countOf(summary, 'total-successful-session-count'),
    failed: countOf(summary, 'total-failure-session-count'),
    failures: entry['failure-details'] === undefined ? [] : readFailures(entry),
  };
}

/** Policies of one type for one domain as one: their texts, which set them apart, are not kept. */
function merge(policies: PolicySummary[]): PolicySummary[] {
  const alike = Map.groupBy(policies, ({ type, domain }) => `${type} ${domain}`);
  return [...alike.values()].map((group) => ({
    ...(group[0] as PolicySummary),
    successful: sum(group.map(({ successful }) => successful)),
    failed: sum(group.map(({ failed }) => failed)),
    failures: addUp(group.flatMap(({ failures }) => failures)),
  }));
}

/** Those reasons that the RFC does not have count as the general one. The addresses of who met whom are not kept. */
function readFailures(entry: Fields): Failure[] {
  return listOf(entry, 'failure-details', MOST_FAILURES).map((detail) => {
    const fields = fieldsOf(detail, 'failure-details');
    const named = textOf(fields, 'result-type');
    const type = RESULT_TYPES.has(named) ? named : 'validation-failure';
    return { type, sessions: countOf(fields, 'failed-session-count') };
  });
}

function addUp(failures: Failure[]): Failure[] {
  const byType = Map.groupBy(failures, ({ type }) => type);
  return [...byType].map(([type, group]) => ({ type, sessions: sum(group.map(({ sessions }) => sessions)) }));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('report', 'is not valid JSON');
  }
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField(name, 'must be an object');
  return value as Fields;
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_TEXT || UNPRINTABLE.test(value))
    throw invalidField(name, `must be a text of 1 to ${LONGEST_TEXT} printable characters`);
  return value;
}

function countOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw invalidField(name, 'must be a whole number');
  return value as number;
}

function momentOf(fields: Fields, name: string): Date {
  const text = textOf(fields, name);
  const moment = new Date(text);
  if (!MOMENT.test(text) || Number.isNaN(moment.getTime())) throw invalidField(name, 'must be a time as in RFC 3339');
  return moment;
}

function listOf(fields: Fields, name: string, most: number): unknown[] {
  const value = fields[name];
  if (!Array.isArray(value) || value.length > most) throw invalidField(name, `must be a list of at most ${most}`);
  return value;
}
