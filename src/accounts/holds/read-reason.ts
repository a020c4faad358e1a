import { invalidField } from '../../platform/errors.ts';

const LONGEST_REASON = 1_000;

/** What somebody gives as a reason; it is never empty. */
export function readReason(text: string): string {
  const reason = text.trim();
  if (reason === '') throw invalidField('reason', 'must not be empty');
  if (reason.length > LONGEST_REASON) throw invalidField('reason', `takes at most ${LONGEST_REASON} characters`);
  return reason;
}
