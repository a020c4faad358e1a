import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { CHAINED_COLUMNS, type ChainedRow, FIRST_LINK, linkHash } from './chain.ts';
import { type CheckpointDeps, signGrownHeads } from './sign-heads.ts';
import { takeTurn } from './turn.ts';
import '../tables.ts';

const BATCH = 5_000;
const MOST_UNSIGNED = 5_000;

export interface Sealer {
  /** Chains every row whose transaction has ended. Only one node does at a time. */
  seal(): Promise<number>;
  /** Signs the heads that have grown since the last checkpoint. */
  checkpoint(): Promise<void>;
}

interface Deps extends CheckpointDeps {
  /** The database as the sealer role. */
  db: Database;
  metrics: Metrics;
}

interface Link {
  customer_id: number;
  seq: number;
  audit_id: string;
  hash: Buffer;
}

/** Closes the audit log: no writer ever waits for it, and what a crash left open is closed by the next run. */
export function createSealer({ db, signingKey, checkpointFile, clock, metrics }: Deps): Sealer {
  return {
    async seal() {
      let sealed = 0;
      for (let count = BATCH; count >= BATCH; sealed += count) count = await db.untenanted(sealBatch);
      metrics.sealedRows.set(sealed);
      return sealed;
    },
    checkpoint: () =>
      db.untenanted(async (tx) => {
        if (await takeTurn(tx)) await signGrownHeads(tx, { signingKey, checkpointFile, clock });
      }),
  };
}

/**
 * Seals, and signs ahead of time where many rows have come: whoever shows one row has to show all up to
 * the next signature.
 */
export function sealAndSign(sealer: Sealer): () => Promise<void> {
  let unsigned = 0;
  return async () => {
    unsigned += await sealer.seal();
    if (unsigned < MOST_UNSIGNED) return;
    await sealer.checkpoint();
    unsigned = 0;
  };
}

async function sealBatch(tx: Tx): Promise<number> {
  if (!(await takeTurn(tx))) return 0;
  // Every transaction below the snapshot's xmin has ended: no more rows can appear there. A batch
  // ends between transactions, since the watermark is a transaction number.
  const { rows } = await sql<ChainedRow & { xact: string }>`
    with open_rows as (
      select xact from audit_log
      where xact >= (select sealed_below from audit_watermark) and xact < pg_snapshot_xmin(pg_current_snapshot()))
    select ${sql.raw(CHAINED_COLUMNS)}, xact::text from audit_log
    where xact >= (select min(xact) from open_rows)
      and xact <= coalesce(
        (select xact from open_rows order by xact offset ${BATCH - 1} limit 1), (select max(xact) from open_rows))
    order by audit_log.xact, id`.execute(tx);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  await appendLinks(tx, rows);
  await tx
    .updateTable('audit_watermark')
    .set({ sealed_below: (BigInt(last.xact) + 1n).toString() })
    .execute();
  return rows.length;
}

async function appendLinks(tx: Tx, rows: ChainedRow[]): Promise<void> {
  const customers = [...new Set(rows.map((row) => row.customer_id))];
  const known = await tx.selectFrom('audit_heads').selectAll().where('customer_id', 'in', customers).execute();
  const heads = new Map(known.map(({ customer_id, seq, hash }) => [customer_id, { seq, hash }]));
  const links: Link[] = rows.map((row) => {
    const head = heads.get(row.customer_id) ?? { seq: 0, hash: FIRST_LINK };
    const link = { customer_id: row.customer_id, seq: head.seq + 1, audit_id: row.id, hash: linkHash(head.hash, row) };
    heads.set(row.customer_id, link);
    return link;
  });
  for (let start = 0; start < links.length; start += 1_000) {
    await tx
      .insertInto('audit_chain')
      .values(links.slice(start, start + 1_000))
      .execute();
  }
  await tx
    .insertInto('audit_heads')
    .values([...heads].map(([customer_id, { seq, hash }]) => ({ customer_id, seq, hash })))
    .onConflict((conflict) =>
      conflict.column('customer_id').doUpdateSet({ seq: sql`excluded.seq`, hash: sql`excluded.hash` }),
    )
    .execute();
}
