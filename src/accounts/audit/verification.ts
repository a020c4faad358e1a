import type { Updateable } from 'kysely';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { recordAct } from './record.ts';
import type { SigningKey } from './signing-key.ts';
import { verifyCustomerAudit } from './verify.ts';
import '../tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    audit_verifications: {
      customer_id: number;
      asked_at: Date;
      checked: number;
      total: number;
      finished_at: Date | null;
      fault_seq: number | null;
      fault_reason: string | null;
    };
  }
}

export const VERIFY_AUDIT = 'audit.verify';

/** How the last verification of a customer's audit log went, or how far the one that runs has come. */
export interface Verification {
  askedAt: Date;
  /** Rows that were looked at, of how many. */
  checked: number;
  total: number;
  finishedAt: Date | null;
  /** The first row that is not as it was, by its number in the chain; what is wrong may concern no row at all. */
  fault: { seq: number | null; reason: string } | null;
}

/** What is known of the last verification; null where there never was one. */
export async function readVerification(tx: Tx, customerId: number): Promise<Verification | null> {
  const row = await tx
    .selectFrom('audit_verifications')
    .selectAll()
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    askedAt: row.asked_at,
    checked: row.checked,
    total: row.total,
    finishedAt: row.finished_at,
    fault: row.fault_reason === null ? null : { seq: row.fault_seq, reason: row.fault_reason },
  };
}

const UNFINISHED_MS = 10 * 60_000;

/**
 * Asks for a verification, which a side job then carries out. While one that was asked for within ten minutes has not
 * come to its end, there is no other.
 */
export async function askForVerification(tx: Tx, clock: Clock, act: Act): Promise<void> {
  const { customerId } = act;
  const head = await tx
    .selectFrom('audit_heads')
    .select('seq')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  const total = head?.seq ?? 0;
  const now = clock.now();
  const asked = { asked_at: now, checked: 0, total, finished_at: null, fault_seq: null, fault_reason: null };
  const old = new Date(now.getTime() - UNFINISHED_MS);
  const taken = await tx
    .insertInto('audit_verifications')
    .values({ customer_id: customerId, ...asked })
    .onConflict((conflict) =>
      conflict
        .column('customer_id')
        .doUpdateSet(asked)
        .where(({ eb, or }) =>
          or([eb('audit_verifications.finished_at', 'is not', null), eb('audit_verifications.asked_at', '<=', old)]),
        ),
    )
    .returning('customer_id')
    .execute();
  if (taken.length > 0) await enqueueJob(tx, VERIFY_AUDIT, { customerId }, `audit.verify/${customerId}`);
  await recordAct(tx, clock, act, {});
}

interface Deps {
  /** The database as the worker sees it, and as the sealer does. */
  db: Database;
  sealerDb: Database;
  signingKey: SigningKey;
  checkpointFile: string;
  clock: Clock;
}

/** Verifies the log of a customer that asked for it, and writes down how far it has come. */
export async function carryOutVerification(deps: Deps, customerId: number): Promise<void> {
  const { db, sealerDb, clock } = deps;
  const asked = await db.tenant([customerId], (tx) => readVerification(tx, customerId));
  if (asked === null) return;
  // One that was asked for since is another's to write down.
  const note = async (change: Updateable<Tables['audit_verifications']>) => {
    await db.tenant([customerId], (tx) =>
      tx
        .updateTable('audit_verifications')
        .set(change)
        .where('customer_id', '=', customerId)
        .where('asked_at', '=', asked.askedAt)
        .execute(),
    );
  };
  const verifying = { ...deps, db: sealerDb };
  const { rows, faults } = await verifyCustomerAudit(verifying, customerId, (checked) => note({ checked }));
  const [fault] = faults;
  await note({
    checked: rows,
    finished_at: clock.now(),
    fault_seq: fault?.seq ?? null,
    fault_reason: fault?.reason ?? null,
  });
}
