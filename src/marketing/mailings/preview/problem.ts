/** Something to know about a mailing before it is sent. Only an error keeps it from being sent. */
export interface MailingProblem {
  /** `subject`, `preheader`, `from`, `body`, or a place like `blocks[2].url`. */
  field: string;
  severity: 'error' | 'warning' | 'note';
  message: string;
}
