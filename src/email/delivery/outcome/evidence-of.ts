import type { AttemptEvidence } from '../../evidence/attempt-evidence.ts';
import type { Lease } from '../queue/lease.ts';
import type { Settlement } from '../queue/settle.ts';

/** An attempt that is over, whoever's queue it came from. */
type Ended = Omit<Settlement, 'lease'> & {
  lease: Pick<Lease, 'customer_id' | 'message_id' | 'ordinal' | 'attempts' | 'started_at'>;
};

/** What an attempt leaves as evidence. */
export function evidenceOf(ended: Ended, { reply }: { reply: string | null }, finishedAt: Date): AttemptEvidence {
  const { lease, outcome, address, met, notice } = ended;
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
