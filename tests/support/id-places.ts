import { ACCOUNT_PLACES } from './id-places/accounts.ts';
import { DRIP_ENROLLMENT_PLACES } from './id-places/drip-enrollments.ts';
import { DRIP_PLACES } from './id-places/drips.ts';
import { EMAIL_PLACES } from './id-places/email.ts';
import { FORMS_PLACES } from './id-places/forms.ts';
import { MAILING_PLACES } from './id-places/mailings.ts';
import { OVERSIGHT_PASSED_OVER, OVERSIGHT_PLACES } from './id-places/oversight.ts';
import { PEOPLE_PLACES } from './id-places/people.ts';
import type { Place } from './id-places/place.ts';
import { REPORT_PLACES } from './id-places/reports.ts';
import { RIGHTS_PLACES } from './id-places/rights.ts';
import { SEGMENT_PLACES } from './id-places/segments.ts';
import { SIGN_IN_PLACES } from './id-places/sign-in.ts';
import { SIGNER_PLACES } from './id-places/signers.ts';
import { WORK_PLACES } from './id-places/work.ts';

/** The ids in the requests of the Marketing area. */
export const MARKETING_PLACES: Record<string, Place[]> = {
  ...PEOPLE_PLACES,
  ...SEGMENT_PLACES,
  ...MAILING_PLACES,
  ...DRIP_PLACES,
  ...DRIP_ENROLLMENT_PLACES,
  ...REPORT_PLACES,
};

/** The ids in the requests of every operation of the API. */
export const ID_PLACES: Record<string, Place[]> = {
  ...EMAIL_PLACES,
  // Before what destroys submissions, and their exports with them.
  ...WORK_PLACES,
  ...FORMS_PLACES,
  ...RIGHTS_PLACES,
  ...SIGNER_PLACES,
  ...MARKETING_PLACES,
  ...SIGN_IN_PLACES,
  ...ACCOUNT_PLACES,
  ...OVERSIGHT_PLACES,
};

/** Ids that an operation passes over, or that are for anybody. */
export const PASSED_OVER: Record<string, string[]> = {
  sendTemplatedMessage: ['template_id'],
  createForm: ['old_form_id'],
  readPublicForm: ['id'],
  readPublicFormSchema: ['id'],
  submitForm: ['id'],
  // Jobs belong to the installation.
  retrySideJob: ['id'],
  // Passkeys name themselves; whose they are is known from the session.
  signInWithPasskey: ['id', 'rawId'],
  stepUpWithPasskey: ['id', 'rawId'],
  addPasskey: ['id', 'rawId'],
  ...OVERSIGHT_PASSED_OVER,
};
