import { DASHBOARD_ROLES } from './role-matrix/dashboard.ts';
import { EMAIL_ROLES } from './role-matrix/email.ts';
import { FORMS_ROLES } from './role-matrix/forms.ts';
import type { Least } from './role-matrix/least.ts';
import { MARKETING_ROLES } from './role-matrix/marketing.ts';

/** Every operation of the API, and the least that a person must be to call it. */
export const ROLE_MATRIX: Record<string, Least> = {
  ...EMAIL_ROLES,
  ...FORMS_ROLES,
  ...MARKETING_ROLES,
  ...DASHBOARD_ROLES,
};
