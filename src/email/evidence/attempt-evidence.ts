import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { CustomerVault } from '../../platform/vault/vault.ts';

const OrNull = Type.Union([Type.String(), Type.Null()]);
const closed = { additionalProperties: false };

const TlsMet = Type.Object(
  {
    version: Type.String(),
    cipher: Type.String(),
    certificateSha256: OrNull,
    verified: Type.Boolean(),
    policy: Type.String(),
    basis: OrNull,
    reason: OrNull,
  },
  closed,
);

/** What one attempt to deliver to one recipient did and met. Times are as toISOString writes them. */
export const AttemptEvidence = Type.Object(
  {
    customerId: Type.Integer(),
    messageId: Type.String(),
    ordinal: Type.Integer(),
    attempt: Type.Integer(),
    startedAt: Type.String(),
    finishedAt: Type.String(),
    outcome: Type.String(),
    notice: Type.Boolean(),
    recipient: OrNull,
    mx: OrNull,
    address: OrNull,
    tls: Type.Union([TlsMet, Type.Null()]),
    code: Type.Union([Type.Integer(), Type.Null()]),
    reply: OrNull,
  },
  closed,
);
export type AttemptEvidence = Static<typeof AttemptEvidence>;

/**
 * The hash by which evidence stands in its batch. The salt keeps those who see it beside other evidence, or in the
 * database, from trying out addresses.
 */
export function leafOf(salt: Buffer, evidence: AttemptEvidence): Buffer {
  return createHash('sha256').update(salt).update(textOf(evidence)).digest();
}

/** The salt of an attempt: found again with the customer's keys, and stored nowhere. */
export function saltOf(keys: CustomerVault, { messageId, ordinal, attempt }: AttemptEvidence): Buffer {
  return keys.blindIndex('delivery_attempts.evidence', `${messageId}/${ordinal}/${attempt}`);
}

/** What the leaves of a batch add up to. */
export function rootOf(leaves: Buffer[]): string {
  const hash = createHash('sha256');
  for (const leaf of leaves) hash.update(leaf);
  return hash.digest('hex');
}

function textOf(evidence: AttemptEvidence): string {
  const { tls, reply } = evidence;
  return JSON.stringify([
    evidence.customerId,
    evidence.messageId,
    evidence.ordinal,
    evidence.attempt,
    evidence.startedAt,
    evidence.finishedAt,
    evidence.outcome,
    evidence.notice,
    evidence.recipient,
    evidence.mx,
    evidence.address,
    tls && [tls.version, tls.cipher, tls.certificateSha256, tls.verified, tls.policy, tls.basis, tls.reason],
    evidence.code,
    reply === null ? null : reply.toWellFormed(), // as the seal keeps it
  ]);
}
