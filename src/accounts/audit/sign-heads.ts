import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendCheckpoint, signCheckpoint } from './checkpoint.ts';
import { type SignedHead, signHead } from './signed-head.ts';
import type { SigningKey } from './signing-key.ts';
import { awaitTurn } from './turn.ts';
import '../tables.ts';

export interface CheckpointDeps {
  signingKey: SigningKey;
  checkpointFile: string;
  clock: Clock;
}

/** Signs the heads that have grown since the last checkpoint, for whoever has the turn. */
export async function signGrownHeads(tx: Tx, { signingKey, checkpointFile, clock }: CheckpointDeps): Promise<void> {
  const grown = await tx
    .selectFrom('audit_heads')
    .selectAll()
    .whereRef('seq', '>', 'checkpointed_seq')
    .orderBy('customer_id')
    .execute();
  if (grown.length === 0) return;
  const newest = await tx.selectFrom('audit_checkpoints').select(sql<number>`max(number)`.as('n')).executeTakeFirst();
  const number = (newest?.n ?? 0) + 1;
  const heads = grown.map(({ customer_id, seq, hash }) => ({
    customer: customer_id,
    seq,
    hash: hash.toString('hex'),
  }));
  const at = clock.now().toISOString();
  const line = signCheckpoint(signingKey, { number, at, heads });
  await tx.insertInto('audit_checkpoints').values({ number, line }).execute();
  const signed = heads.map((head) => signHead(signingKey, { ...head, checkpoint: number, at }));
  await keepSignedHeads(tx, signed);
  await tx
    .updateTable('audit_heads')
    .set({ checkpointed_seq: sql`seq` })
    .whereRef('seq', '>', 'checkpointed_seq')
    .execute();
  await appendCheckpoint(checkpointFile, line);
}

/** Signs every head anew, also those that have not grown; waits until it is its turn. */
export async function signEveryHead(tx: Tx, deps: CheckpointDeps): Promise<void> {
  await awaitTurn(tx);
  await tx.updateTable('audit_heads').set({ checkpointed_seq: 0 }).execute();
  await signGrownHeads(tx, deps);
}

/** A head that was signed before keeps its first signature. */
async function keepSignedHeads(tx: Tx, heads: SignedHead[]): Promise<void> {
  for (let start = 0; start < heads.length; start += 1_000) {
    const rows = heads
      .slice(start, start + 1_000)
      .map(({ customer, hash, ...rest }) => ({ customer_id: customer, hash: Buffer.from(hash, 'hex'), ...rest }));
    await tx
      .insertInto('audit_signed_heads')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
