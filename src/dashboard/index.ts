import { Type } from 'typebox';
import type { Area } from '../platform/http/area.ts';
import { addressEndpoints } from './api/address.ts';
import { agreementEndpoints } from './api/agreements.ts';
import { apiKeyEndpoints } from './api/api-keys.ts';
import { auditLogEndpoints } from './api/audit-log.ts';
import { customerEndpoints } from './api/customer.ts';
import { factorEndpoints } from './api/factors.ts';
import { holdEndpoints } from './api/holds.ts';
import { homeEndpoints } from './api/home.ts';
import { operatorCustomerEndpoints } from './api/operator-customers.ts';
import { operatorSystemEndpoints } from './api/operator-system.ts';
import { oversightEndpoints } from './api/oversight/index.ts';
import { ownSessionEndpoints } from './api/own-sessions.ts';
import { passkeyEndpoints } from './api/passkeys.ts';
import { passwordEndpoints } from './api/password.ts';
import { retentionEndpoints } from './api/retention.ts';
import { sessionEndpoints } from './api/session.ts';
import { setupEndpoints } from './api/setup.ts';
import { signInEndpoints } from './api/sign-in.ts';
import { stepUpEndpoints } from './api/step-up.ts';
import { teamEndpoints } from './api/team.ts';
import { unansweredEndpoints } from './api/unanswered.ts';
import type { DashboardDeps } from './deps.ts';

export { setupUrl } from './account-mail.ts';
export { readIncidentFile } from './api/oversight/incident-schemas.ts';
export { closeCustomerIn } from './close-customer.ts';
export { type Affected, findAffected } from './oversight/affected.ts';
export { incidentCsv, incidentJson, readIncidentExport } from './oversight/incident-export.ts';
export { recordShown } from './oversight/record-shown.ts';
export { createOversightTasks, OVERSIGHT_CRON } from './oversight/tasks.ts';
export { refuseUnbuiltWeb } from './web/built.ts';
export { addDashboardPages } from './web/pages.ts';

const ErrorBody = Type.Object({
  error: Type.String(),
  code: Type.String(),
  fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});

/** What belongs to people and their sessions alone; everything else the dashboard does by the areas' routes. */
export function createDashboardArea(deps: DashboardDeps): Area {
  return {
    name: 'dashboard',
    bases: ['/app/api'],
    headerForms: [],
    ownPagesOnly: true,
    errorSchema: ErrorBody,
    errorBody: ({ message, code, fields }) => ({
      error: message,
      code,
      ...(Object.keys(fields).length === 0 ? {} : { fields }),
    }),
    endpoints: [
      ...homeEndpoints(deps),
      ...unansweredEndpoints(deps),
      ...teamEndpoints(deps),
      ...apiKeyEndpoints(deps),
      ...agreementEndpoints(deps),
      ...auditLogEndpoints(deps),
      ...retentionEndpoints(deps),
      ...holdEndpoints(deps),
      ...customerEndpoints(deps),
      ...operatorCustomerEndpoints(deps),
      ...operatorSystemEndpoints(deps),
      ...oversightEndpoints(deps),
      ...setupEndpoints(deps),
      ...signInEndpoints(deps),
      ...sessionEndpoints(deps),
      ...stepUpEndpoints(deps),
      ...ownSessionEndpoints(deps),
      ...factorEndpoints(deps),
      ...passkeyEndpoints(deps),
      ...passwordEndpoints(deps),
      ...addressEndpoints(deps),
    ],
  };
}
