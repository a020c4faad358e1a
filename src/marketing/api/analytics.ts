import type { Endpoint } from '../../platform/http/endpoint.ts';
import type { MarketingDeps } from './deps.ts';
import { clickersTable } from './reports/clickers.ts';
import { deliveriesTable } from './reports/deliveries-table.ts';
import { linksByUrl } from './reports/links-by-url.ts';
import { reportEndpoints } from './reports/report.ts';
import { sendTotals } from './reports/send-totals.ts';
import { sendsTable } from './reports/sends-table.ts';

/** Reports on what became of mailings, each as JSON and as CSV. */
export function analyticsEndpoints(deps: MarketingDeps): Endpoint[] {
  const reading = { ...deps, db: deps.reportsDb };
  return [
    ...reportEndpoints(deps, sendTotals(reading)),
    ...reportEndpoints(deps, sendsTable(reading)),
    ...reportEndpoints(deps, deliveriesTable(reading)),
    ...reportEndpoints(deps, linksByUrl(reading)),
    ...reportEndpoints(deps, clickersTable(reading)),
  ];
}
