import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DialFailure } from './net/dial-failed.ts';

/** What an operator can watch. Labels are routes, statuses and outcomes: never ids, addresses or values. */
export interface Metrics {
  registry: Registry;
  requests: Histogram<'route' | 'method' | 'status'>;
  smtpSubmissions: Histogram<'outcome'>;
  signInFailures: Counter<'door'>;
  deliveries: Counter<'outcome'>;
  leasesExpired: Counter;
  webhookAttempts: Counter<'outcome'>;
  webhookLag: Histogram;
  sealedRows: Gauge;
  dripLateness: Histogram;
  submissions: Counter;
  suspicions: Counter<'reason'>;
  fileScans: Counter<'outcome'>;
  certificateDays: Gauge;
}

const QUICK = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const SLOW = [0.05, 0.25, 1, 5, 15, 60, 300, 1800, 7200];

const DOORS = ['api', 'smtp', 'dashboard'];
const SUBMISSIONS = ['accepted', 'refused', 'failed'];
const DELIVERIES = ['delivered', 'refused', 'deferred', 'uncertain'];
const UNCALLED: DialFailure[] = ['refused-target', 'unresolved', 'unreachable', 'tls', 'timeout', 'broken'];
const CALLS = ['delivered', 'refused', 'unreadable', ...UNCALLED];
const REASONS = ['honeypot', 'too_fast', 'proof_missing', 'proof_invalid'];
const SCANS = ['clean', 'infected', 'failed'];

/** A registry of its own, so that several apps in one process do not count together. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const smtpSubmissions = new Histogram({
    name: 'carepost_smtp_submission_seconds',
    help: 'Time from the end of a message at the SMTP door to the reply, by whether it was accepted, refused or failed',
    labelNames: ['outcome'],
    buckets: QUICK,
    registers,
  });
  for (const outcome of SUBMISSIONS) smtpSubmissions.zero({ outcome });
  return {
    registry,
    requests: new Histogram({
      name: 'carepost_http_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['route', 'method', 'status'],
      buckets: QUICK,
      registers,
    }),
    smtpSubmissions,
    signInFailures: fromZero(
      new Counter({
        name: 'carepost_sign_in_failures_total',
        help: 'Passwords, second factors and keys that were refused, by door',
        labelNames: ['door'],
        registers,
      }),
      'door',
      DOORS,
    ),
    deliveries: fromZero(
      new Counter({
        name: 'carepost_deliveries_total',
        help: 'Delivery attempts by outcome',
        labelNames: ['outcome'],
        registers,
      }),
      'outcome',
      DELIVERIES,
    ),
    leasesExpired: new Counter({
      name: 'carepost_leases_expired_total',
      help: 'Deliveries that nobody settled before their lease ended: what became of them is uncertain',
      registers,
    }),
    webhookAttempts: fromZero(
      new Counter({
        name: 'carepost_webhook_attempts_total',
        help: 'Calls of webhooks by outcome',
        labelNames: ['outcome'],
        registers,
      }),
      'outcome',
      CALLS,
    ),
    webhookLag: new Histogram({
      name: 'carepost_webhook_lag_seconds',
      help: 'Time from an event to the first call of a webhook about it',
      buckets: SLOW,
      registers,
    }),
    sealedRows: new Gauge({
      name: 'carepost_audit_sealed_rows',
      help: 'Audit rows chained by the last run of the sealer',
      registers,
    }),
    dripLateness: new Histogram({
      name: 'carepost_drip_lateness_seconds',
      help: 'How long the first of a batch of people in a drip was overdue when it was taken on',
      buckets: SLOW,
      registers,
    }),
    submissions: new Counter({
      name: 'carepost_submissions_total',
      help: 'Submissions of forms that were stored',
      registers,
    }),
    suspicions: fromZero(
      new Counter({
        name: 'carepost_form_suspicions_total',
        help: 'Forms that were sent as programs send them, by what gave it away',
        labelNames: ['reason'],
        registers,
      }),
      'reason',
      REASONS,
    ),
    fileScans: fromZero(
      new Counter({
        name: 'carepost_file_scans_total',
        help: 'Files shown to the virus scanner, by whether they were clean, infected or could not be scanned',
        labelNames: ['outcome'],
        registers,
      }),
      'outcome',
      SCANS,
    ),
    certificateDays: new Gauge({
      name: 'carepost_certificate_days',
      help: 'Days until the certificate of the listeners ends, below 0 while an authority has issued none; 0 without one',
      registers,
    }),
  };
}

/** Gives a counter a line for every value of its label: the first of a kind is then seen to be one more. */
function fromZero<Label extends string>(counter: Counter<Label>, label: Label, values: string[]): Counter<Label> {
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0);
  return counter;
}
