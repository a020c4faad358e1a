import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openReply } from '../delivery/attempt-reply.ts';
import type { AttemptEvidence } from './attempt-evidence.ts';
import '../tables.ts';

export type KeptAttempt = Awaited<ReturnType<typeof findAttempts>>[number];

/** Every attempt at a message, in order. */
export async function findAttempts(tx: Tx, customerId: number, messageId: string) {
  return tx
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('message_id', '=', messageId)
    .orderBy('ordinal')
    .orderBy('attempt')
    .execute();
}

/** What was written down of an attempt when it was settled, read back from its row. */
export function evidenceOf(keys: CustomerVault, row: KeptAttempt, recipient: string | null): AttemptEvidence {
  return {
    customerId: row.customer_id,
    messageId: row.message_id,
    ordinal: row.ordinal,
    attempt: row.attempt,
    startedAt: row.started_at.toISOString(),
    finishedAt: (row.finished_at ?? row.started_at).toISOString(),
    outcome: row.outcome ?? '',
    notice: row.notice,
    recipient,
    mx: row.mx_host,
    address: row.mx_address,
    tls: tlsOf(row),
    code: row.smtp_code,
    reply: row.reply === null ? null : openReply(keys, { ...row, attempts: row.attempt }, row.reply),
  };
}

function tlsOf(row: KeptAttempt): AttemptEvidence['tls'] {
  if (row.tls_version === null) return null;
  return {
    version: row.tls_version,
    cipher: row.tls_cipher ?? '',
    certificateSha256: row.certificate_hash?.toString('hex') ?? null,
    verified: row.tls_verified ?? false,
    policy: row.tls_policy ?? 'none',
    basis: row.tls_basis,
    reason: row.tls_reason,
  };
}
