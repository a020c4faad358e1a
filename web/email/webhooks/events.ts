/** The events that a webhook can be told of, by their area. */
export const EVENTS = {
  email: [
    'api_mail_log_delivered',
    'api_mail_log_temporary_failure',
    'api_mail_log_permanent_failure',
    'api_mail_log_opened',
  ],
  forms: ['forms.submission.created', 'forms.submission.signed'],
} as const;
