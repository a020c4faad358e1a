import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { DELIVERED, PERMANENT_FAILURE, TEMPORARY_FAILURE } from '../events/names.ts';
import { recordEvents } from '../events/record.ts';
import { sealReply } from './attempt-reply.ts';
import type { TlsFacts } from './connect.ts';
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
  acceptedAt: Date;
  peer: string | null;
  tls: TlsFacts | null;
}

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  metrics: Metrics;
  random?: () => number;
}

/** Writes what came of leased recipients: the state of each and the evidence of its attempt. */
export async function settle(
  { db, vault, clock, metrics, random = Math.random }: Deps,
  settlements: Settlement[],
): Promise<void> {
  const now = clock.now();
  const toRow = async ({ lease, outcome, acceptedAt, peer, tls }: Settlement) => {
    metrics.deliveries.inc({ outcome: outcome.result });
    const retryAt =
      outcome.result === 'deferred' ? nextAttempt({ now, random }, { attempts: lease.attempts, acceptedAt }) : null;
    const state = outcome.result === 'delivered' ? 'delivered' : retryAt === null ? 'bounced' : 'queued';
    return {
      message_id: lease.message_id,
      ordinal: lease.ordinal,
      attempt: lease.attempts,
      state,
      due_at: retryAt,
      settled_at: retryAt === null ? now : null,
      outcome: outcome.result,
      smtp_code: outcome.code,
      peer,
      tls_version: tls?.version ?? null,
      tls_cipher: tls?.cipher ?? null,
      tls_policy: tls?.policy ?? null,
      tls_verified: tls?.verified ?? null,
      reply: outcome.reply === null ? null : sealReply(await vault.of(lease.customer_id), lease, outcome.reply),
    };
  };
  const rows = await Promise.all(settlements.map(toRow));
  const bounced = settlements.filter(bouncedHard);
  await db.tenant([...new Set(bounced.map(({ lease }) => lease.customer_id))], async (tx) => {
    // A lease that was lost meanwhile is no longer ours to settle: the attempt number tells.
    const { rows: settled } = await sql<Settled>`
      with done as (
        select * from json_to_recordset(${JSON.stringify(rows)}::json) as d (
          message_id uuid, ordinal smallint, attempt smallint, state text, due_at timestamptz, settled_at timestamptz,
          outcome text, smtp_code smallint, peer text, tls_version text, tls_cipher text, tls_policy text, tls_verified boolean,
          reply bytea)
      ), settled as (
        update message_recipients r set state = done.state, due_at = done.due_at, settled_at = done.settled_at
        from done where r.message_id = done.message_id and r.ordinal = done.ordinal and r.attempts = done.attempt
        returning r.customer_id, r.message_id, r.ordinal, r.state
      ), noted as (
      update delivery_attempts a set finished_at = ${now}, outcome = done.outcome, smtp_code = done.smtp_code,
        peer = done.peer, tls_version = done.tls_version, tls_cipher = done.tls_cipher, tls_policy = done.tls_policy,
        tls_verified = done.tls_verified, reply = done.reply
      from done where a.message_id = done.message_id and a.ordinal = done.ordinal and a.attempt = done.attempt
      )
      select * from settled`.execute(tx);
    await recordEvents(
      tx,
      clock,
      settled.map((row) => ({
        customerId: row.customer_id,
        messageId: row.message_id,
        ordinal: row.ordinal,
        name: EVENT_OF[row.state],
        at: now,
      })),
    );
    const ours = new Set(settled.map((row) => `${row.message_id}/${row.ordinal}`));
    const stillOurs = bounced.filter(({ lease }) => ours.has(`${lease.message_id}/${lease.ordinal}`));
    await suppressBounced(tx, { vault, clock }, stillOurs);
  });
}

interface Settled {
  customer_id: number;
  message_id: string;
  ordinal: number;
  state: keyof typeof EVENT_OF;
}

const EVENT_OF = { delivered: DELIVERED, queued: TEMPORARY_FAILURE, bounced: PERMANENT_FAILURE };
