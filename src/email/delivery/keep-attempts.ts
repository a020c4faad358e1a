import { CompiledQuery } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { batchRows, keysIfAny, prepareEvidence } from '../evidence/record.ts';
import { sealOfAttempt } from './attempt-seals.ts';
import { evidenceOf } from './evidence-of.ts';
import type { HandedOver } from './hand-over.ts';
import { metColumns } from './met-columns.ts';
import '../tables.ts';

/** An attempt at a mail that another area keeps in a queue of its own. */
export interface MailAttempt {
  messageId: string;
  attempt: number;
  recipient: string;
  handed: HandedOver;
}

const TOLD_LATER = `finished_at outcome smtp_code peer mx_host mx_address tls_version tls_cipher tls_policy tls_verified
  tls_basis tls_reason certificate_hash evidence_id evidence_position reply recipient`.split(/\s+/);

// An attempt that was given up for lost has a row already, which says less.
const KEEP = `
  with batches as (
    insert into evidence_batches (id, customer_id, leaves)
    select id, customer_id, leaves from json_to_recordset($2) as b (id uuid, customer_id int, leaves bytea)
  ), audit as (
    insert into audit_log (id, customer_id, at, actor_kind, actor_id, action, target, request_id, details)
    select id, customer_id, at, actor_kind, actor_id, action, target, request_id, details::jsonb
    from json_to_recordset($3) as a (id uuid, customer_id int, at timestamptz, actor_kind text, actor_id text,
      action text, target text, request_id text, details text)
  )
  insert into delivery_attempts select * from json_populate_recordset(null::delivery_attempts, $1)
  on conflict (message_id, ordinal, attempt) do update
  set ${TOLD_LATER.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Writes down attempts with the evidence of each, as those at messages are, and answers nothing of it to anybody. */
export async function keepAttempts(
  tx: Tx,
  { vault, clock }: { vault: Vault; clock: Clock },
  customerId: number,
  attempts: MailAttempt[],
): Promise<void> {
  const now = clock.now();
  const keys = await keysIfAny(vault, customerId);
  if (keys === null || attempts.length === 0) return;
  const evidence = await prepareEvidence(
    { vault, clock },
    attempts.map((each) => evidenceOf(settlementOf(customerId, each), each.handed, now)),
  );
  const rows = attempts.map((each, index) => {
    const { handed } = each;
    const { lease } = settlementOf(customerId, each);
    const place = evidence.places[index];
    return {
      message_id: lease.message_id,
      ordinal: lease.ordinal,
      attempt: lease.attempts,
      customer_id: customerId,
      started_at: handed.startedAt,
      finished_at: now,
      outcome: handed.result,
      smtp_code: handed.code,
      ...metColumns(handed.met, handed),
      notice: false,
      evidence_id: place?.evidenceId ?? null,
      evidence_position: place?.position ?? null,
      reply: handed.reply === null ? null : sealOfAttempt(keys, lease, 'reply', handed.reply),
      recipient: sealOfAttempt(keys, lease, 'recipient', each.recipient),
    };
  });
  const values = [rows, batchRows(evidence), evidence.audit].map((list) => JSON.stringify(list));
  await tx.executeQuery(CompiledQuery.raw(KEEP, values));
}

/** A mail has one recipient, so that there is no other place than the first. */
function settlementOf(customerId: number, { messageId, attempt, recipient, handed }: MailAttempt) {
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

const CUT_OFF = `
  insert into delivery_attempts (message_id, ordinal, attempt, customer_id, started_at, finished_at, outcome)
  select id, 0, attempt, $2, started_at, $3, 'uncertain'
  from json_to_recordset($1) as c (id uuid, attempt smallint, started_at timestamptz)
  on conflict do nothing`;

/** Writes down attempts of which nobody knows how they ended: whoever made them is gone. */
export async function keepCutOff(
  tx: Tx,
  clock: Clock,
  customerId: number,
  attempts: { id: string; attempt: number; started_at: Date }[],
): Promise<void> {
  if (attempts.length === 0) return;
  await tx.executeQuery(CompiledQuery.raw(CUT_OFF, [JSON.stringify(attempts), customerId, clock.now()]));
}
