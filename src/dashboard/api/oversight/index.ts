import type { Endpoint } from '../../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../../deps.ts';
import { breakGlassEndpoints } from './break-glass.ts';
import { incidentExportEndpoints } from './incident-exports.ts';
import { incidentEndpoints } from './incidents.ts';
import { operatorBreakGlassEndpoints } from './operator-break-glass.ts';
import { CUSTOMER, OPERATOR } from './places.ts';
import { reviewEndpoints } from './reviews.ts';
import { oversightSettingEndpoints } from './settings.ts';
import { whoReadEndpoint } from './who-read.ts';

/** Emergency access, reviews of what was done, and incidents; of customers and of the installation. */
export function oversightEndpoints(deps: DashboardDeps): Endpoint[] {
  return [
    ...breakGlassEndpoints(deps),
    ...operatorBreakGlassEndpoints(deps),
    ...oversightSettingEndpoints(deps),
    ...reviewEndpoints(deps, CUSTOMER),
    ...reviewEndpoints(deps, OPERATOR),
    ...incidentEndpoints(deps, CUSTOMER),
    ...incidentEndpoints(deps, OPERATOR),
    ...incidentExportEndpoints(deps),
    whoReadEndpoint(deps),
  ];
}
