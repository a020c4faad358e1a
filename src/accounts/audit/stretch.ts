import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { CHAINED_COLUMNS, type ChainedRow, FIRST_LINK, linkHash } from './chain.ts';
import type { SignedHead } from './signed-head.ts';
import '../tables.ts';

/** The rows of a chain from one of them up to a head that was signed: what it takes to show that it stood there. */
export interface Stretch {
  /** The number of the first row in the chain, and the hash of the row before it. */
  seq: number;
  previous: string;
  rows: ChainedRow[];
  head: SignedHead;
}

/** The stretches that hold these rows of a customer, each once; null where one of them is not signed yet. */
export async function readStretches(tx: Tx, customerId: number, auditIds: string[]): Promise<Stretch[] | null> {
  const wanted = [...new Set(auditIds)];
  if (wanted.length === 0) return [];
  const links = await tx
    .selectFrom('audit_chain')
    .select('seq')
    .where('customer_id', '=', customerId)
    .where('audit_id', 'in', wanted)
    .orderBy('seq')
    .execute();
  if (links.length < wanted.length) return null;
  const stretches: Stretch[] = [];
  for (const { seq } of links) {
    if (seq <= (stretches.at(-1)?.head.seq ?? 0)) continue;
    const head = await findHead(tx, customerId, seq);
    if (head === null) return null;
    stretches.push({
      seq,
      previous: await hashBefore(tx, customerId, seq),
      rows: await readRows(tx, customerId, seq, head.seq),
      head,
    });
  }
  return stretches;
}

/** The hash that a stretch ends with. */
export function endOf({ previous, rows }: Pick<Stretch, 'previous' | 'rows'>): string {
  return rows.reduce(linkHash, Buffer.from(previous, 'hex')).toString('hex');
}

async function findHead(tx: Tx, customerId: number, seq: number): Promise<SignedHead | null> {
  const row = await tx
    .selectFrom('audit_signed_heads')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('seq', '>=', seq)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { customer_id: customer, hash, ...rest } = row;
  return { customer, ...rest, hash: hash.toString('hex') };
}

async function hashBefore(tx: Tx, customerId: number, seq: number): Promise<string> {
  const before = await tx
    .selectFrom('audit_chain')
    .select('hash')
    .where('customer_id', '=', customerId)
    .where('seq', '=', seq - 1)
    .executeTakeFirst();
  if (before !== undefined || seq === 1) return (before?.hash ?? FIRST_LINK).toString('hex');
  // The first row that retention has left goes on from where it was cut.
  const { hash } = await tx
    .selectFrom('audit_cuts')
    .select('hash')
    .where('customer_id', '=', customerId)
    .where('seq', '=', seq - 1)
    .executeTakeFirstOrThrow();
  return hash.toString('hex');
}

async function readRows(tx: Tx, customerId: number, first: number, last: number): Promise<ChainedRow[]> {
  const { rows } = await sql<ChainedRow>`
    select l.* from audit_chain c
    join lateral (select ${sql.raw(CHAINED_COLUMNS)} from audit_log
      where id = c.audit_id and customer_id = ${customerId}) l on true
    where c.customer_id = ${customerId} and c.seq between ${first} and ${last} order by c.seq`.execute(tx);
  return rows;
}
