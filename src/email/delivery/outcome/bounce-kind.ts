/** Whether an address is no good, or only this message or this moment was. */
export type BounceKind = 'hard' | 'soft';

/**
 * The enhanced codes (RFC 3463, RFC 7505) that speak of the address, each with what it says; docs/bounces.md has the
 * same table.
 */
export const HARD_CODES: ReadonlyMap<string, string> = new Map([
  ['5.1.0', 'something about the address'],
  ['5.1.1', 'no such mailbox'],
  ['5.1.2', 'no such domain'],
  ['5.1.3', 'not an address'],
  ['5.1.4', 'the address is ambiguous'],
  ['5.1.6', 'moved, and nobody knows where'],
  ['5.1.10', 'the domain takes no mail'],
  ['5.2.1', 'the mailbox is disabled'],
]);

/** Codes that are taken for soft although they look final. Whatever stands in neither table is soft too. */
export const SOFT_CODES: ReadonlyMap<string, string> = new Map([
  ['4.x.x', 'for the moment only'],
  ['5.0.0', 'says nothing by itself'],
  ['5.1.5', 'the address is valid'],
  ['5.1.7', "the sender's address is no good"],
  ['5.1.8', "the sender's domain is no good"],
  ['5.1.9', 'a relay without delivery reports'],
  ['5.2.2', 'the mailbox is full'],
  ['5.2.3', 'the message is too long for the mailbox'],
  ['5.3.x', 'the receiving system'],
  ['5.4.x', 'the way there'],
  ['5.5.x', 'the dialogue'],
  ['5.6.x', 'the content of the message'],
  ['5.7.x', 'policy and security: the message or its sender'],
]);

const ENHANCED = /^[45]\d\d[ -](\d\.\d{1,3}\.\d{1,3})\b/;
const MAILBOX_UNAVAILABLE = 550; // RFC 5321 4.2.3

/** What a peer's answer to RCPT says about the address, from its code and its words. */
export function bounceKind(code: number | null, reply: string | null): BounceKind {
  if (code === null || code < 500) return 'soft';
  const enhanced = ENHANCED.exec(reply ?? '')?.[1];
  if (enhanced === undefined) return code === MAILBOX_UNAVAILABLE ? 'hard' : 'soft';
  return kindOfCode(enhanced);
}

/** What an enhanced code by itself says about the address. */
export function kindOfCode(enhanced: string): BounceKind {
  return HARD_CODES.has(enhanced) ? 'hard' : 'soft';
}
