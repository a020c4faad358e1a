import type { Scope } from '../../platform/http/access.ts';

export const DELIVERED = 'api_mail_log_delivered';
export const TEMPORARY_FAILURE = 'api_mail_log_temporary_failure';
export const PERMANENT_FAILURE = 'api_mail_log_permanent_failure';
export const OPENED = 'api_mail_log_opened';

/** The events that an endpoint may be told of, by the scope that a key needs for them. */
export const EVENTS_BY_SCOPE: Record<Scope, readonly string[]> = {
  email: [DELIVERED, TEMPORARY_FAILURE, PERMANENT_FAILURE, OPENED],
  forms: ['forms.submission.created', 'forms.submission.signed'],
  marketing: [],
};
