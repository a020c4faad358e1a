import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What an operator can watch. Labels are routes, statuses and outcomes: never ids, addresses or values. */
export interface Metrics {
  registry: Registry;
  requests: Histogram<'route' | 'method' | 'status'>;
  deliveries: Counter<'outcome'>;
  sealedRows: Gauge;
  dripLateness: Histogram;
  suspicions: Counter<'reason'>;
}

/** A registry of its own, so that several apps in one process do not count together. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'carepost_http_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: 'carepost_deliveries_total',
      help: 'Delivery attempts by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    sealedRows: new Gauge({
      name: 'carepost_audit_sealed_rows',
      help: 'Audit rows chained by the last run of the sealer',
      registers: [registry],
    }),
    dripLateness: new Histogram({
      name: 'carepost_drip_lateness_seconds',
      help: 'How long the first of a batch of people in a drip was overdue when it was taken on',
      buckets: [0.05, 0.25, 1, 5, 15, 60, 300, 1800, 7200],
      registers: [registry],
    }),
    suspicions: new Counter({
      name: 'carepost_form_suspicions_total',
      help: 'Forms that were sent as programs send them, by what gave it away',
      labelNames: ['reason'],
      registers: [registry],
    }),
  };
}
