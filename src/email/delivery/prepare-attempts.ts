import { CompiledQuery } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { batchRows, keysIfAny, prepareEvidence } from '../evidence/record.ts';
import type { HandedOver } from './hand-over.ts';
import { sealOfAttempt } from './outcome/attempt-seals.ts';
import { evidenceOf } from './outcome/evidence-of.ts';
import { metColumns } from './outcome/met-columns.ts';
import '../tables.ts';

/** An attempt at a mail that another area keeps in a queue of its own. */
export interface MailAttempt {
  messageId: string;
  attempt: number;
  recipient: string;
  handed: HandedOver;
}

const COLUMNS = `message_id, ordinal, attempt, customer_id, started_at, finished_at, outcome, smtp_code, peer, mx_host,
  mx_address, tls_version, tls_cipher, tls_policy, tls_verified, tls_basis, tls_reason, certificate_hash, notice,
  evidence_id, evidence_position, reply, recipient`;

const KEEP = `
  with batches as (
    insert into evidence_batches (id, customer_id, leaves)
    select id, customer_id, leaves from json_to_recordset($2) as b (id uuid, customer_id int, leaves bytea)
    on conflict do nothing
  ), audit as (
    insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
    select id, customer_id, at, actor_kind, actor_id, action, target, request_id, details::jsonb
    from json_to_recordset($3) as a (id uuid, customer_id int, at timestamptz, actor_kind text, actor_id text,
      action text, target text, request_id text, details text)
    on conflict do nothing
  )
  insert into delivery_attempts (${COLUMNS})
  select ${COLUMNS} from json_populate_recordset(null::delivery_attempts, $1)
  on conflict do nothing`;

/**
 * Builds what writes down attempts with the evidence of each, as those at messages are. It is called within the
 * transaction that settles them, and changes nothing the second time.
 */
export async function prepareAttempts(
  { vault, clock }: { vault: Vault; clock: Clock },
  customerId: number,
  attempts: MailAttempt[],
): Promise<(tx: Tx) => Promise<void>> {
  const keys = await keysIfAny(vault, customerId);
  if (keys === null || attempts.length === 0) return async () => {};
  const ended = attempts.map((each) => endedOf(customerId, each));
  const evidence = await prepareEvidence(
    { vault, clock },
    ended.map((each) => evidenceOf(each, each.outcome, each.outcome.finishedAt)),
  );
  const rows = ended.map(({ lease, outcome, address }, index) => ({
    message_id: lease.message_id,
    ordinal: lease.ordinal,
    attempt: lease.attempts,
    customer_id: customerId,
    started_at: outcome.startedAt,
    finished_at: outcome.finishedAt,
    outcome: outcome.result,
    smtp_code: outcome.code,
    ...metColumns(outcome.met, outcome),
    notice: false,
    evidence_id: evidence.places[index]?.evidenceId ?? null,
    evidence_position: evidence.places[index]?.position ?? null,
    reply: outcome.reply === null ? null : sealOfAttempt(keys, lease, 'reply', outcome.reply),
    recipient: sealOfAttempt(keys, lease, 'recipient', address),
  }));
  const values = [rows, batchRows(evidence), evidence.audit].map((list) => JSON.stringify(list));
  return async (tx) => void (await tx.executeQuery(CompiledQuery.raw(KEEP, values)));
}

/** A mail has one recipient, so that there is no other place than the first. */
function endedOf(customerId: number, { messageId, attempt, recipient, handed }: MailAttempt) {
  return {
    lease: {
      customer_id: customerId,
      message_id: messageId,
      ordinal: 0,
      attempts: attempt,
      started_at: handed.startedAt,
    },
    outcome: handed,
    address: recipient,
    met: handed.met,
    notice: false,
  };
}
