import { decodeCharset } from '../../submission/mime/mime-body.ts';
import { type RecipientStatus, readDeliveryStatus } from './delivery-status.ts';
import { type Feedback, readFeedback } from './feedback.ts';
import { type TakenApart, takeApart, valueOf } from './parts.ts';
import { readPlainBounce } from './plain-bounce.ts';

const LONGEST_REPORT = 256 * 1024;
const LONGEST_TEXT = 64 * 1024;
const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status']); // RFC 3464, RFC 6533
const OUT_OF_OFFICE = /^(?:auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office)\b/i;

/** What a mail that came back turns out to be. */
export type Report =
  | { kind: 'delivery-status'; recipients: RecipientStatus[] }
  | { kind: 'feedback'; feedback: Feedback }
  | { kind: 'auto-reply' }
  | { kind: 'unknown' };

/**
 * Reads a mail that came back. Reports that machines write for machines come first: they are often marked as automatic
 * replies as well (RFC 3834 5).
 */
export function readReport(mime: Buffer): Report {
  const mail = takeApart(mime);
  const status = textOf(mail, (type) => STATUS_TYPES.has(type), LONGEST_REPORT);
  if (status !== null) return { kind: 'delivery-status', recipients: readDeliveryStatus(status) };
  const feedback = readFeedback(textOf(mail, (type) => type === 'message/feedback-report', LONGEST_REPORT) ?? '');
  if (feedback !== null) return { kind: 'feedback', feedback };
  const text = textOf(mail, (type) => type === 'text/plain', LONGEST_TEXT) ?? '';
  const recipients = readPlainBounce({ from: valueOf(mail.headers, 'from'), text });
  if (recipients !== null) return { kind: 'delivery-status', recipients };
  return { kind: isAutoReply(mail) ? 'auto-reply' : 'unknown' };
}

function textOf({ parts }: TakenApart, wanted: (type: string) => boolean, most: number): string | null {
  const part = parts.find(({ type }) => wanted(type));
  return part === undefined ? null : decodeCharset(part.read(most), '');
}

function isAutoReply({ headers }: TakenApart): boolean {
  const submitted = valueOf(headers, 'auto-submitted').toLowerCase();
  if (submitted !== '' && !submitted.startsWith('no')) return true;
  return valueOf(headers, 'x-autoreply') !== '' || OUT_OF_OFFICE.test(valueOf(headers, 'subject'));
}
