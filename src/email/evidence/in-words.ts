import type { AttemptEvidence } from './attempt-evidence.ts';
import type { Proved, Verified } from './verify.ts';

/** What a bundle that holds proves, in sentences for whoever asked. */
export function tellEvidence({ contents, fingerprint, attempts }: Verified): string[] {
  return [
    `Message ${contents.messageId} of customer ${contents.customerId}, exported at ${contents.exportedAt}`,
    `Signed with the key ${fingerprint}`,
    ...attempts.flatMap(tellAttempt),
    ...(contents.without === 0 ? [] : [`${contents.without} further attempts have no evidence`]),
    `${attempts.length} attempts proved`,
  ].map(inOneLine);
}

function tellAttempt({ evidence, head }: Proved): string[] {
  const { attempt, ordinal, recipient, startedAt, finishedAt, reply } = evidence;
  return [
    `Attempt ${attempt} at ${recipient ?? `recipient ${ordinal + 1}`}, ${startedAt} to ${finishedAt}`,
    `  ${whatCame(evidence)}${overWhat(evidence)}`,
    ...(reply === null ? [] : [`  The answer: ${reply}`]),
    `  Stood in the audit log by ${head.at}, under row ${head.seq} (checkpoint ${head.checkpoint})`,
  ];
}

function whatCame({ outcome, notice, mx, address }: AttemptEvidence): string {
  if (mx === null && address === null) return `${outcome}, before any secured connection stood`;
  const what = notice ? 'a notice without the content' : 'the content';
  const server = `${mx ?? ''} [${address ?? ''}]`;
  if (outcome === 'delivered') return `delivered: ${server} took ${what}`;
  if (outcome === 'uncertain') return `uncertain: ${what} went to ${server}, and no answer came`;
  return `${outcome}: ${server} did not take ${what}`;
}

function overWhat({ tls }: AttemptEvidence): string {
  if (tls === null) return '';
  const certificate = tls.certificateSha256 === null ? '' : `, certificate ${tls.certificateSha256}`;
  const basis = tls.basis === null ? '' : ` (${tls.basis})`;
  const verdict = tls.verified
    ? `verified by ${tls.policy}${basis}`
    : `not verified: ${tls.reason ?? 'no reason is given'}`;
  return `, over ${tls.version} ${tls.cipher}${certificate}, ${verdict}`;
}

/** A peer's words as a terminal may show them. */
function inOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
