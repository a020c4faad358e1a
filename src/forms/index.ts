import type { Database } from '../platform/db/database.ts';
import type { Area } from '../platform/http/area.ts';
import type { OwnershipCheck } from '../platform/http/ownership.ts';
import { FormsError, formsErrorBody } from './api/errors.ts';
import { listFormsEndpoint } from './api/forms.ts';

export { createForm } from './definition/create.ts';

interface Deps {
  db: Database;
  requireOwn: OwnershipCheck;
  mayList(customerId: number, wanted: number): boolean;
}

/** The Forms area as the server mounts it. */
export function createFormsArea(deps: Deps): Area {
  return {
    name: 'forms',
    bases: ['/v1/forms', '/forms', ''],
    rootPaths: ['/api/forms', '/public/form_data'],
    headerForms: ['bearer'],
    errorSchema: FormsError,
    errorBody: formsErrorBody,
    endpoints: [listFormsEndpoint(deps)],
  };
}
