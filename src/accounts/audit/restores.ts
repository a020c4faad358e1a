import { sign, verify } from 'node:crypto';
import type { Actor } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { recordAct } from './record.ts';
import { type CheckpointDeps, signEveryHead } from './sign-heads.ts';
import { INSTALLATION, type SigningKey } from './signing-key.ts';
import '../tables.ts';

/** That the database was put back: what was written after the one moment was not there any more at the other. */
export interface Restore {
  id: string;
  restoredTo: string;
  recordedAt: string;
  actor: { kind: string; id: string };
}

interface Deps extends CheckpointDeps {
  db: Database;
  /** The database as the sealer role. */
  sealerDb: Database;
  clock: Clock;
}

/**
 * Records that the database was put back to a moment, so that every worker knows which of its checkpoints are of rows that
 * are lost. All that is there now is signed anew with it: of this nothing is forgotten, whatever was signed of it before.
 */
export async function recordRestore(deps: Deps, actor: Actor, restoredTo: Date): Promise<Restore> {
  const { db, sealerDb, clock, signingKey } = deps;
  const restore = {
    id: timeOrderedId(clock),
    restoredTo: restoredTo.toISOString(),
    recordedAt: clock.now().toISOString(),
    actor,
  };
  const act = { customerId: INSTALLATION, actor, action: 'audit.restored', requestId: null };
  const trace = { target: restore.id, details: { restored_to: restore.restoredTo } };
  await db.tenant([INSTALLATION], (tx) => recordAct(tx, clock, act, trace));
  await sealerDb.untenanted(async (tx) => {
    await signEveryHead(tx, deps);
    await keep(tx, restore, signRestore(signingKey, restore));
  });
  return restore;
}

/** The restores that this installation has signed, the earliest first, and how many it has not. */
export async function readRestores(
  sealerDb: Database,
  signingKey: SigningKey,
): Promise<{ restores: Restore[]; unsigned: number }> {
  const rows = await sealerDb.untenanted((tx) => tx.selectFrom('audit_restores').selectAll().orderBy('id').execute());
  const restores = rows
    .map(({ signature, ...row }) => ({ signature, restore: restoreOf(row) }))
    .filter(({ restore, signature }) => isSignedRestore(signingKey, restore, signature))
    .map(({ restore }) => restore);
  return { restores, unsigned: rows.length - restores.length };
}

async function keep(tx: Tx, { id, restoredTo, recordedAt, actor }: Restore, signature: string): Promise<void> {
  await tx
    .insertInto('audit_restores')
    .values({
      id,
      restored_to: restoredTo,
      recorded_at: recordedAt,
      actor_kind: actor.kind,
      actor_id: actor.id,
      signature,
    })
    .execute();
}

function restoreOf(row: {
  id: string;
  restored_to: string;
  recorded_at: string;
  actor_kind: string;
  actor_id: string;
}): Restore {
  const { id, restored_to: restoredTo, recorded_at: recordedAt, actor_kind: kind, actor_id: actorId } = row;
  return { id, restoredTo, recordedAt, actor: { kind, id: actorId } };
}

function signRestore({ privateKey }: SigningKey, restore: Restore): string {
  return sign(null, textOf(restore), privateKey).toString('base64');
}

function isSignedRestore({ publicKey }: SigningKey, restore: Restore, signature: string): boolean {
  return verify(null, textOf(restore), publicKey, Buffer.from(signature, 'base64'));
}

function textOf({ id, restoredTo, recordedAt, actor }: Restore): Buffer {
  return Buffer.from(`carepost audit restore\n${JSON.stringify([id, restoredTo, recordedAt, actor.kind, actor.id])}`);
}
