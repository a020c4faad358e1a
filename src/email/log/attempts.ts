import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openOfAttempt } from '../delivery/outcome/attempt-seals.ts';
import '../tables.ts';

export interface TlsEvidence {
  version: string;
  cipher: string;
  policy: string;
  verified: boolean;
}

/** The same with what shows how it was judged. */
interface TlsJudged extends TlsEvidence {
  certificateSha256: string | null;
  /** What vouched for the server, where the policy leaves a choice. */
  basis: string | null;
  /** Why the server could not be verified. */
  reason: string | null;
}

/** One attempt to deliver to one recipient. */
export interface Attempt {
  ordinal: number;
  number: number;
  startedAt: Date;
  finishedAt: Date | null;
  outcome: string | null;
  peer: string | null;
  smtpResponse: string | null;
  tls: TlsJudged | null;
}

/** Every attempt at the recipients of a message, in order. */
export async function readAttempts(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  messageId: string,
): Promise<Attempt[]> {
  const rows = await tx
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('message_id', '=', messageId)
    .orderBy('ordinal')
    .orderBy('attempt')
    .execute();
  return rows.map((row) => ({
    ordinal: row.ordinal,
    number: row.attempt,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    outcome: row.outcome,
    peer: row.peer,
    smtpResponse:
      row.reply === null ? null : openOfAttempt(keys, { ...row, attempts: row.attempt }, 'reply', row.reply),
    tls:
      row.tls_version === null
        ? null
        : {
            version: row.tls_version,
            cipher: row.tls_cipher ?? '',
            policy: row.tls_policy ?? 'none',
            verified: row.tls_verified ?? false,
            certificateSha256: row.certificate_hash?.toString('hex') ?? null,
            basis: row.tls_basis,
            reason: row.tls_reason,
          },
  }));
}
