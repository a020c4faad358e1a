import type { TestContext } from 'node:test';
import { createSealer, loadSigningKey } from '../../src/accounts/index.ts';
import { sealOfAttempt } from '../../src/email/delivery/outcome/attempt-seals.ts';
import type { AttemptEvidence } from '../../src/email/evidence/attempt-evidence.ts';
import { prepareEvidence } from '../../src/email/evidence/record.ts';
import { checkpointFileOf } from '../../src/installation.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

/** The database as the worker role. */
export function openWorker(t: TestContext, { installation }: TestApp): Database {
  const db = openDatabase(installation, 'worker', 2);
  t.after(() => db.close());
  return db;
}

/** An attempt that was taken, with whatever a test wants otherwise. */
export function attempt(which: Pick<AttemptEvidence, 'customerId' | 'messageId'>, more: Partial<AttemptEvidence> = {}) {
  const evidence: AttemptEvidence = {
    ...which,
    ordinal: 0,
    attempt: 1,
    startedAt: '2026-03-01T08:00:00.125Z',
    finishedAt: '2026-03-01T08:00:01.500Z',
    outcome: 'delivered',
    notice: false,
    recipient: 'ann@example.com',
    mx: 'mx.example.com',
    address: '192.0.2.25',
    tls: {
      version: 'TLSv1.3',
      cipher: 'TLS_AES_256_GCM_SHA384',
      certificateSha256: 'ab'.repeat(32),
      verified: true,
      policy: 'mta-sts',
      basis: '20260301T000000',
      reason: null,
    },
    code: 250,
    reply: '250 2.0.0 queued as 17',
    ...more,
  };
  return evidence;
}

/** Writes attempts down as if they had been settled together. */
export async function keep({ installation }: TestApp, db: Database, records: AttemptEvidence[]): Promise<void> {
  const evidence = await prepareEvidence(installation, records);
  const customers = [...new Set(records.map(({ customerId }) => customerId))];
  const rows = await Promise.all(
    records.map(async (record, index) => {
      const { customerId: customer_id, messageId: message_id, ordinal, attempt: number, tls, reply } = record;
      const lease = { message_id, ordinal, attempts: number };
      const place = evidence.places[index];
      const hash = tls?.certificateSha256 ?? null;
      const sealed =
        reply === null ? null : sealOfAttempt(await installation.vault.of(customer_id), lease, 'reply', reply);
      return {
        message_id,
        ordinal,
        attempt: number,
        customer_id,
        started_at: new Date(record.startedAt),
        finished_at: new Date(record.finishedAt),
        outcome: record.outcome,
        peer: null,
        smtp_code: record.code,
        tls_version: tls?.version ?? null,
        tls_cipher: tls?.cipher ?? null,
        tls_policy: tls?.policy ?? null,
        tls_verified: tls?.verified ?? null,
        reply: sealed === null ? null : Buffer.from(sealed.slice(2), 'hex'),
        mx_host: record.mx,
        mx_address: record.address,
        certificate_hash: hash === null ? null : Buffer.from(hash, 'hex'),
        tls_basis: tls?.basis ?? null,
        tls_reason: tls?.reason ?? null,
        notice: record.notice,
        evidence_id: place?.evidenceId ?? null,
        evidence_position: place?.position ?? null,
      };
    }),
  );
  await db.tenant(customers, async (tx) => {
    await tx.insertInto('delivery_attempts').values(rows).execute();
    await tx.insertInto('evidence_batches').values(evidence.batches).execute();
    await tx.insertInto('audit_log').values(evidence.audit).execute();
  });
}

/** Seals and signs until everything that was written down is signed. */
export async function signAll(t: TestContext, { installation }: TestApp): Promise<void> {
  const db = openDatabase(installation, 'sealer', 1);
  t.after(() => db.close());
  const sealer = createSealer({
    db,
    signingKey: await loadSigningKey(installation),
    checkpointFile: checkpointFileOf(installation.config.dataDir),
    clock: installation.clock,
    metrics: createMetrics(),
  });
  await eventually(async () => {
    await sealer.seal();
    await sealer.checkpoint();
    const open = await db.untenanted((tx) =>
      tx
        .selectFrom('audit_log')
        .select('id')
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('audit_chain').select('seq').whereRef('audit_chain.audit_id', '=', 'audit_log.id'))),
        )
        .executeTakeFirst(),
    );
    return open === undefined;
  });
}
