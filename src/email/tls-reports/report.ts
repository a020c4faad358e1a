import { FAILURES, type ReportedPolicy } from './results.ts';

/** What was counted on a day for one policy, server and result. */
export interface DayCount {
  policy: ReportedPolicy;
  mx_host: string;
  mx_address: string;
  result: string;
  sessions: number;
}

export interface ReportFacts {
  domain: string;
  day: string;
  reportId: string;
  /** Who reports, by name and by the address to write to. */
  submitter: string;
  contact: string;
  counts: DayCount[];
}

/** Writes the report on one day (RFC 8460 4.4). */
export function writeReport({ domain, day, reportId, submitter, contact, counts }: ReportFacts): string {
  const byPolicy = Map.groupBy(counts, ({ policy }) => JSON.stringify([policy.type, policy.text, policy.mxPatterns]));
  return JSON.stringify({
    'organization-name': submitter,
    'date-range': { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` },
    'contact-info': contact,
    'report-id': reportId,
    policies: [...byPolicy.values()].map((ofPolicy) => describePolicy(domain, ofPolicy)),
  });
}

function describePolicy(domain: string, counts: DayCount[]) {
  const { policy } = counts[0] as DayCount;
  const failed = counts.filter(({ result }) => (FAILURES as readonly string[]).includes(result));
  return {
    policy: {
      'policy-type': policy.type,
      ...(policy.text.length === 0 ? {} : { 'policy-string': policy.text }),
      'policy-domain': domain,
      ...(policy.mxPatterns.length === 0 ? {} : { 'mx-host': policy.mxPatterns }),
    },
    summary: {
      'total-successful-session-count': sum(counts) - sum(failed),
      'total-failure-session-count': sum(failed),
    },
    ...(failed.length === 0 ? {} : { 'failure-details': failed.map(describeFailure) }),
  };
}

function describeFailure({ result, mx_host: host, mx_address: address, sessions }: DayCount) {
  return {
    'result-type': result,
    ...(host === '' ? {} : { 'receiving-mx-hostname': host }),
    ...(address === '' ? {} : { 'receiving-ip': address }),
    'failed-session-count': sessions,
  };
}

function sum(counts: DayCount[]): number {
  return counts.reduce((total, { sessions }) => total + sessions, 0);
}
