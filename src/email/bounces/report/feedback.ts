import { addressIn, fieldOf, readGroups } from './fields.ts';

const MOST_RECIPIENTS = 100;
const TYPE = /^[\w-]{1,50}$/;

/** What a mailbox provider says of a mail on behalf of whoever got it. */
export interface Feedback {
  /** Such as `abuse` (RFC 5965 7.3), in lower case. */
  feedbackType: string;
  /** Often none, as many providers leave them out. */
  originalRecipients: string[];
}

/** Reads a message/feedback-report (RFC 5965 3); null where it says nothing. */
export function readFeedback(text: string): Feedback | null {
  const fields = readGroups(text).flat();
  const type = fieldOf(fields, 'feedback-type')?.toLowerCase() ?? '';
  if (!TYPE.test(type)) return null;
  const named = fields.filter(([name]) => name === 'original-rcpt-to').slice(0, MOST_RECIPIENTS);
  return { feedbackType: type, originalRecipients: named.flatMap(([, value]) => addressIn(value) ?? []) };
}
