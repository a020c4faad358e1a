import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openOfAttempt } from '../delivery/outcome/attempt-seals.ts';
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

/** Whom a mail of a mailing went to last; null where no attempt at it is kept. */
export async function lastRecipientOf(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  messageId: string,
): Promise<string | null> {
  const last = (await findAttempts(tx, customerId, messageId)).findLast(({ recipient }) => recipient !== null);
  if (last === undefined) return null;
  return openOfAttempt(keys, { ...last, attempts: last.attempt }, 'recipient', last.recipient as Buffer);
}

/**
 * What was written down of an attempt when it was settled, read back from its row. The row itself names whom a mail of a
 * mailing went to, the envelope those of a message.
 */
export function evidenceOf(keys: CustomerVault, row: KeptAttempt, recipients: readonly string[]): AttemptEvidence {
  const attempt = { ...row, attempts: row.attempt };
  const { reply, recipient } = row;
  return {
    customerId: row.customer_id,
    messageId: row.message_id,
    ordinal: row.ordinal,
    attempt: row.attempt,
    startedAt: row.started_at.toISOString(),
    finishedAt: (row.finished_at ?? row.started_at).toISOString(),
    outcome: row.outcome ?? '',
    notice: row.notice,
    recipient:
      recipient === null ? (recipients[row.ordinal] ?? null) : openOfAttempt(keys, attempt, 'recipient', recipient),
    mx: row.mx_host,
    address: row.mx_address,
    tls: tlsOf(row),
    code: row.smtp_code,
    reply: reply === null ? null : openOfAttempt(keys, attempt, 'reply', reply),
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
