import type { Area } from '../platform/http/area.ts';
import type { SealedColumn } from '../platform/vault/reseal.ts';
import { FormsError, formsErrorBody } from './api/errors.ts';
import { formStateEndpoints } from './api/form-states.ts';
import { type FormsDeps, formEndpoints } from './api/forms.ts';
import { publicFormEndpoints } from './api/public-forms.ts';
import { type FilesDeps, submissionFileEndpoints } from './api/submission-files.ts';
import { type SubmissionsDeps, submissionEndpoints } from './api/submissions.ts';
import { type SubmitDeps, submitEndpoint } from './api/submit.ts';
import { createFindVersion } from './definition/compiled-versions.ts';
import { createFindPublicForm } from './definition/public-forms.ts';
import { type AcceptDeps, createAcceptSubmission } from './submissions/accept.ts';

export { BLANK_FORM, createForm } from './definition/create.ts';
export { readTitle } from './definition/read-form.ts';
export { readReceipt } from './submissions/receipt.ts';
export { sweepSubmissions } from './submissions/retention.ts';
export { submissionsOf } from './submissions/submissions-of.ts';

/** The columns of this area that hold sealed values. */
export const FORMS_SEALED_COLUMNS: SealedColumn[] = [{ table: 'submission_keys', row: 'submission_id', column: 'key' }];

type Made = 'findPublicForm' | 'findVersion' | 'acceptSubmission';
type Deps = FormsDeps & Omit<AcceptDeps & SubmissionsDeps & FilesDeps & SubmitDeps, Made>;

/** The Forms area as the server mounts it. */
export function createFormsArea(given: Deps): Area {
  const findPublicForm = createFindPublicForm(given);
  const findVersion = createFindVersion(given.db);
  const acceptSubmission = createAcceptSubmission({ ...given, findVersion });
  const deps = { ...given, findPublicForm, findVersion, acceptSubmission };
  return {
    name: 'forms',
    bases: ['/v1/forms', '/forms', ''],
    rootPaths: ['/api/forms', '/public/form_data'],
    headerForms: ['bearer'],
    errorSchema: FormsError,
    errorBody: formsErrorBody,
    endpoints: [
      ...publicFormEndpoints(deps),
      submitEndpoint(deps),
      ...formEndpoints(deps),
      ...formStateEndpoints(deps),
      ...submissionEndpoints(deps),
      ...submissionFileEndpoints(deps),
    ],
  };
}
