import type { Area } from '../platform/http/area.ts';
import type { SealedColumn } from '../platform/vault/reseal.ts';
import { certificateEndpoints } from './api/certificates.ts';
import { destructionEndpoints } from './api/destructions.ts';
import { FormsError, formsErrorBody } from './api/errors.ts';
import { exportJobEndpoints } from './api/export-jobs.ts';
import { fhirEndpoints } from './api/fhir.ts';
import { formCheckEndpoints } from './api/form-check.ts';
import { formLinkEndpoints } from './api/form-links.ts';
import { formPageEndpoints } from './api/form-page.ts';
import { formPreviewEndpoints } from './api/form-preview.ts';
import { formStateEndpoints } from './api/form-states.ts';
import { type FormsDeps, formEndpoints } from './api/forms.ts';
import { historyEndpoints } from './api/history.ts';
import { publicFormEndpoints } from './api/public-forms.ts';
import { type RightsDeps, rightsEndpoints } from './api/rights.ts';
import { signerEndpoints } from './api/signers.ts';
import { type FilesDeps, submissionFileEndpoints } from './api/submission-files.ts';
import { submissionWorkEndpoints } from './api/submission-work.ts';
import { type SubmissionsDeps, submissionEndpoints } from './api/submissions.ts';
import { type SubmitDeps, submitEndpoint } from './api/submit.ts';
import type { CertifyDeps } from './certificate/certify.ts';
import { createFindVersion } from './definition/compiled-versions.ts';
import { createFindPublicForm } from './definition/public-forms.ts';
import type { DraftMailDeps } from './drafts/mail-deps.ts';
import { createProofOfWork } from './gate/proof-of-work.ts';
import type { SigningDeps } from './signing/page/visit.ts';
import { type AcceptDeps, createAcceptSubmission } from './submissions/accept.ts';
import { createUploads } from './uploads/create-uploads.ts';

export { CertificateBroken } from './certificate/check/broken.ts';
export { checkCertificate, readFingerprints } from './certificate/check/check-certificate.ts';
export { tellCertificate } from './certificate/check/in-words.ts';
export { openSealKey } from './certificate/seal-key.ts';
export { createStampTime } from './certificate/time-stamps.ts';
export { createFindVersion } from './definition/compiled-versions.ts';
export { BLANK_FORM, createForm } from './definition/create.ts';
export { readTitle } from './definition/read-form.ts';
export { addFormDoors } from './doors.ts';
export { sweepDrafts } from './drafts/sweep.ts';
export { exportSealed } from './end-to-end/local/export-sealed.ts';
export { makeIdentity } from './end-to-end/local/make-identity.ts';
export { openFile } from './end-to-end/local/open-file.ts';
export { readIdentities } from './end-to-end/local/read-identities.ts';
export { resumeFormExports } from './exports/resume.ts';
export { stopAllExports } from './exports/stop-all.ts';
export { sweepFormExports } from './exports/sweep.ts';
export { createFormTasks } from './exports/tasks.ts';
export { sweepLinks } from './gate/links.ts';
export { refuseUnbuiltScripts } from './page/refuse-unbuilt.ts';
export { verifyDestruction } from './rights/destruction-certificate.ts';
export { exportPerson } from './rights/person-export.ts';
export { indexesOfPerson } from './rights/person-indexes.ts';
export { sweepSignerCodes } from './signing/sweep.ts';
export { checkSubmissions } from './submissions/check-submissions.ts';
export { sweepFillings } from './submissions/fillings.ts';
export { readReceipt } from './submissions/receipt.ts';
export { sweepSubmissions } from './submissions/retention.ts';
export { submissionsOf } from './submissions/submissions-of.ts';
export { submissionsTaken, submittersOf } from './submissions/submitters.ts';
export { openWholeForm } from './submissions/whole-form.ts';
export { sweepUploads } from './uploads/sweep.ts';
export { countNewSubmissions } from './work/count.ts';

/** The columns of this area that hold sealed values. */
export const FORMS_SEALED_COLUMNS: SealedColumn[] = [
  { table: 'submission_keys', row: 'submission_id', column: 'key' },
  { table: 'form_uploads', row: 'id', column: 'sealed' },
  { table: 'form_drafts', row: 'id', column: 'sealed' },
  { table: 'form_links', row: 'id', column: 'answers' },
];

type Made = 'findPublicForm' | 'findVersion' | 'acceptSubmission' | 'uploads' | 'proofOfWork';
type Deps = FormsDeps &
  Omit<AcceptDeps & SubmissionsDeps & FilesDeps & RightsDeps & SubmitDeps & CertifyDeps & DraftMailDeps, Made>;

/** The Forms area as the server mounts it, and what its pages work with. */
export function createForms(given: Deps): { area: Area; pages: SigningDeps } {
  const findPublicForm = createFindPublicForm(given);
  const findVersion = createFindVersion(given.db);
  const acceptSubmission = createAcceptSubmission({ ...given, findVersion });
  const uploads = createUploads(given);
  const proofOfWork = createProofOfWork(given);
  const deps = { ...given, findPublicForm, findVersion, acceptSubmission, uploads, proofOfWork };
  const area: Area = {
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
      ...formPageEndpoints(deps),
      ...formLinkEndpoints(deps),
      ...formCheckEndpoints(deps),
      ...formPreviewEndpoints(deps),
      ...submissionEndpoints(deps),
      ...submissionFileEndpoints(deps),
      ...submissionWorkEndpoints(deps),
      ...exportJobEndpoints(deps),
      ...fhirEndpoints(deps),
      ...historyEndpoints(deps),
      ...rightsEndpoints(deps),
      ...destructionEndpoints(deps),
      ...certificateEndpoints(deps),
      ...signerEndpoints(deps),
    ],
  };
  return { area, pages: deps };
}
