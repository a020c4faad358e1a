import type { AttemptEvidence } from '../evidence/attempt-evidence.ts';
import type { End, Settlement } from './settle.ts';

/** What an attempt leaves as evidence. */
export function evidenceOf(settlement: Settlement, { reply }: End, finishedAt: Date): AttemptEvidence {
  const { lease, outcome, address, met, notice } = settlement;
  return {
    customerId: lease.customer_id,
    messageId: lease.message_id,
    ordinal: lease.ordinal,
    attempt: lease.attempts,
    startedAt: lease.started_at.toISOString(),
    finishedAt: finishedAt.toISOString(),
    outcome: outcome.result,
    notice,
    recipient: address,
    mx: met?.host ?? null,
    address: met?.address ?? null,
    tls:
      met === null
        ? null
        : {
            ...met.tls,
            certificateSha256: met.certificateHash.toString('hex'),
            verified: met.judgement.verified,
            policy: met.judgement.policy,
            basis: met.judgement.basis,
            reason: met.judgement.reason,
          },
    code: outcome.code,
    reply,
  };
}
