/** What is known of one recipient. */
export interface Standing {
  state: 'queued' | 'noticed' | 'delivered' | 'bounced' | 'cancelled';
  /** Whether a notice went out in place of the content. */
  portal: boolean;
  /** What the peer answered to the last attempt, if it answered. */
  lastReply: string | null;
  /** Whether an attempt has ended without success. */
  deferred: boolean;
}

/** The words of a receipt for how a delivery stands. */
export type DeliveryStatus =
  | 'processing'
  | 'TLS not offered, sending via Secure Portal'
  | 'soft bounced'
  | 'soft bounced - mailbox full'
  | 'hard bounced'
  | 'delivered'
  | 'delivered via secure portal';

// RFC 3463 3.3: X.2.2. Without such a code 452 and 552 mean it as well; with another one they speak of something else.
const MAILBOX_FULL = /^(?:[45]\d\d[ -][45]\.2\.2\b|[45]52\b(?![ -][245]\.\d{1,3}\.\d{1,3}\b))/;

/** Says how a delivery stands, in the words that clients know. */
export function deliveryStatus({ state, portal, lastReply, deferred }: Standing): DeliveryStatus {
  if (state === 'noticed') return 'TLS not offered, sending via Secure Portal';
  if (state === 'delivered') return portal ? 'delivered via secure portal' : 'delivered';
  if (state === 'bounced') return 'hard bounced';
  // Clients have no word for what was taken back; that an address bounced would be believed, and the person never written to again.
  if (state === 'cancelled' || !deferred) return 'processing';
  return MAILBOX_FULL.test(lastReply ?? '') ? 'soft bounced - mailbox full' : 'soft bounced';
}

/** A date as receipts write it (RFC 2822 3.3). */
export function receiptTime(time: Date): string {
  return time.toUTCString().replace('GMT', '+0000');
}
