import type { Outcome } from '../dialogue/send.ts';

/** What is said of mail that is given up: the words of the last attempt, and what they come to where TLS was wanting. */
export function wordsOfBounce({ reply, tls }: Outcome): string | null {
  return tls === undefined ? reply : `5.7.10 Encryption needed: ${reply}. Mail is never sent without it.`;
}
