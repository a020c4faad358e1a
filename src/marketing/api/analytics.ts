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
  return [
    ...reportEndpoints(deps, sendTotals(deps)),
    ...reportEndpoints(deps, sendsTable(deps)),
    ...reportEndpoints(deps, deliveriesTable(deps)),
    ...reportEndpoints(deps, linksByUrl(deps)),
    ...reportEndpoints(deps, clickersTable(deps)),
  ];
}
