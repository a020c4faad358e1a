/** Whether an address is no good, or only this message or this moment was. */
export type BounceKind = 'hard' | 'soft';

/**
 * Enhanced codes (RFC 3463, RFC 7505) that speak of the address. The rest is soft: 5.2.2 is a full mailbox, 5.3 and 5.4
 * are about systems and ways, 5.5 about the dialogue, 5.6 and 5.7 about the message or its sender.
 */
const HARD = new Set([
  '5.1.0', // something about the address
  '5.1.1', // no such mailbox
  '5.1.2', // no such domain
  '5.1.3', // not an address
  '5.1.4', // the address is ambiguous
  '5.1.6', // moved, and nobody knows where
  '5.1.10', // the domain takes no mail
  '5.2.1', // the mailbox is disabled
]);
// Of 5.1 these say nothing against the address: 5.1.5 is that it is valid, 5.1.7 and 5.1.8 are about the sender's, and
// 5.1.9 is a relay without delivery reports.

const ENHANCED = /^[45]\d\d[ -](\d\.\d{1,3}\.\d{1,3})\b/;
const MAILBOX_UNAVAILABLE = 550; // RFC 5321 4.2.3

/** What a peer's answer to RCPT says about the address, from its code and its words. */
export function bounceKind(code: number | null, reply: string | null): BounceKind {
  if (code === null || code < 500) return 'soft';
  const enhanced = ENHANCED.exec(reply ?? '')?.[1];
  if (enhanced === undefined) return code === MAILBOX_UNAVAILABLE ? 'hard' : 'soft';
  return HARD.has(enhanced) ? 'hard' : 'soft';
}
