import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { toHex } from '../../platform/db/packed-bytes.ts';
import { preparedAs } from '../../platform/db/prepared.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { DELIVERED, PERMANENT_FAILURE, TEMPORARY_FAILURE } from '../events/names.ts';
import { recordEvents } from '../events/record.ts';
import { keysIfAny, prepareEvidence, writeEvidence } from '../evidence/record.ts';
import { sealReply } from './attempt-reply.ts';
import type { Met } from './courier.ts';
import { evidenceOf } from './evidence-of.ts';
import type { Lease } from './lease.ts';
import { nextAttempt } from './retry.ts';
import type { Outcome } from './send.ts';
import { bouncedHard, suppressBounced } from './suppress-bounced.ts';
import '../tables.ts';

/** What came of one leased recipient. */
export interface Settlement {
  lease: Lease;
  outcome: Outcome;
  /** Where it went; null where that was not even looked at. */
  address: string | null;
  /** Whom it was given to. */
  met: Met | null;
  /** Whether a notice was given in place of the content. */
  notice: boolean;
}

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  metrics: Metrics;
  random?: () => number;
}

/** Writes what came of leased recipients: the state of each, the evidence of its attempt, and the news of it. */
export async function settle(
  { db, vault, clock, metrics, random = Math.random }: Deps,
  settlements: Settlement[],
): Promise<void> {
  const now = clock.now();
  const ended = settlements.map((settlement) => ({ ...settlement, end: endOf(settlement, { now, random }) }));
  // Who was held back was not tried: there is nothing to be shown.
  const tried = ended.filter(({ address }) => address !== null);
  const evidence = await prepareEvidence(
    { vault, clock },
    tried.map((each) => evidenceOf(each, each.end, now)),
  );
  const placeOf = new Map(tried.map((each, index) => [each, evidence.places[index] ?? null]));
  const rows = await Promise.all(
    ended.map(async (each) => {
      const { lease, outcome, met, notice } = each;
      metrics.deliveries.inc({ outcome: outcome.result });
      const { reply, ...end } = each.end;
      const place = placeOf.get(each) ?? null;
      return {
        message_id: lease.message_id,
        ordinal: lease.ordinal,
        attempt: lease.attempts,
        ...end,
        outcome: outcome.result,
        smtp_code: outcome.code,
        peer: met === null ? null : `${met.host} [${met.address}]`,
        mx_host: met?.host ?? null,
        mx_address: met?.address ?? null,
        tls_version: met?.tls.version ?? null,
        tls_cipher: met?.tls.cipher ?? null,
        tls_policy: met?.judgement.policy ?? null,
        tls_verified: met?.judgement.verified ?? null,
        tls_basis: met?.judgement.basis ?? null,
        tls_reason: met?.judgement.reason ?? (outcome.tls === 'missing' ? NO_TLS : null),
        certificate_hash: met === null ? null : toHex(met.certificateHash),
        notice,
        evidence_id: place?.evidenceId ?? null,
        evidence_position: place?.position ?? null,
        reply: reply === null ? null : await sealed(vault, lease, reply),
      };
    }),
  );
  const bounced = settlements.filter(bouncedHard);
  const customers = [...new Set(settlements.map(({ lease }) => lease.customer_id))];
  await db.tenant(customers, async (tx) => {
    // A lease that was lost meanwhile is no longer ours to settle: the attempt number tells.
    const { rows: settled } = await sql<Settled>`
      ${preparedAs('settle-leases')} with done as (
        select * from json_to_recordset(${JSON.stringify(rows)}::json) as d (
          message_id uuid, ordinal smallint, attempt smallint, state text, due_at timestamptz, settled_at timestamptz,
          portal boolean, outcome text, smtp_code smallint, peer text, mx_host text, mx_address text, tls_version text,
          tls_cipher text, tls_policy text, tls_verified boolean, tls_basis text, tls_reason text,
          certificate_hash bytea, notice boolean, evidence_id uuid, evidence_position smallint, reply bytea)
      ), settled as (
        update message_recipients r set state = done.state, due_at = done.due_at, settled_at = done.settled_at,
          portal = r.portal or done.portal
        from done where r.message_id = done.message_id and r.ordinal = done.ordinal and r.attempts = done.attempt
          and r.state = 'queued'
        returning r.customer_id, r.message_id, r.ordinal, r.state, done.outcome = 'uncertain' as uncertain
      ), noted as (
      update delivery_attempts a set finished_at = ${now}, outcome = done.outcome, smtp_code = done.smtp_code,
        peer = done.peer, mx_host = done.mx_host, mx_address = done.mx_address, tls_version = done.tls_version,
        tls_cipher = done.tls_cipher, tls_policy = done.tls_policy, tls_verified = done.tls_verified,
        tls_basis = done.tls_basis, tls_reason = done.tls_reason, certificate_hash = done.certificate_hash,
        notice = done.notice, evidence_id = done.evidence_id, evidence_position = done.evidence_position,
        reply = done.reply
      from done where a.message_id = done.message_id and a.ordinal = done.ordinal and a.attempt = done.attempt
      )
      select * from settled`.execute(tx);
    await writeEvidence(tx, evidence);
    await recordEvents(
      tx,
      clock,
      // Of a notice nothing is told until it has led to its message.
      settled.flatMap(({ state, ...row }) =>
        state === 'noticed'
          ? []
          : {
              customerId: row.customer_id,
              messageId: row.message_id,
              ordinal: row.ordinal,
              name: EVENT_OF[state],
              at: now,
              uncertain: row.uncertain,
            },
      ),
    );
    const ours = new Set(settled.map((row) => `${row.message_id}/${row.ordinal}`));
    const stillOurs = bounced.filter(({ lease }) => ours.has(`${lease.message_id}/${lease.ordinal}`));
    await suppressBounced(tx, { vault, clock }, stillOurs);
  });
}

/** What stands with an attempt that met no TLS at all, by which the next one knows since when. */
const NO_TLS = 'no TLS';

/** Where an attempt leaves its recipient, and in whose words. */
export interface End {
  state: 'queued' | 'noticed' | 'delivered' | 'bounced';
  due_at: Date | null;
  settled_at: Date | null;
  portal: boolean;
  reply: string | null;
}

function endOf({ lease, outcome, notice }: Settlement, { now, random }: { now: Date; random(): number }): End {
  const { result, reply, tls } = outcome;
  if (result === 'delivered') {
    const over = { due_at: null, settled_at: notice ? null : now, reply };
    return { ...over, state: notice ? 'noticed' : 'delivered', portal: notice };
  }
  const tries = {
    attempts: lease.attempts,
    firstTriedAt: lease.first_tried_at,
    noTlsSince: tls === 'missing' ? lease.no_tls_since : null,
  };
  const retryAt = result === 'refused' ? null : nextAttempt({ now, random }, tries);
  if (retryAt !== null) return { state: 'queued', due_at: retryAt, settled_at: null, portal: false, reply };
  const words = tls === undefined ? reply : `5.7.10 Encryption needed: ${reply}. Mail is never sent without it.`;
  return { state: 'bounced', due_at: null, settled_at: now, portal: false, reply: words };
}

/** A customer whose keys were destroyed has nothing that could be sealed; its mail ends all the same. */
async function sealed(vault: Vault, lease: Lease, reply: string): Promise<string | null> {
  const keys = await keysIfAny(vault, lease.customer_id);
  return keys === null ? null : sealReply(keys, lease, reply);
}

interface Settled {
  customer_id: number;
  message_id: string;
  ordinal: number;
  state: End['state'];
  uncertain: boolean;
}

const EVENT_OF = { delivered: DELIVERED, queued: TEMPORARY_FAILURE, bounced: PERMANENT_FAILURE };
