import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { CHAINED_COLUMNS, type ChainedRow, FIRST_LINK, linkHash } from './chain.ts';
import { cutIsSigned } from './cut.ts';
import { type Broken, comparePromises } from './promises.ts';
import { readRestores } from './restores.ts';
import type { SigningKey } from './signing-key.ts';
import '../tables.ts';

const PAGE = 10_000;

/** The first thing that is wrong with the audit log of a customer. */
export interface AuditFault {
  customerId: number;
  seq: number | null;
  auditId: string | null;
  reason: string;
}

export interface AuditReport {
  rows: number;
  checkpoints: number;
  faults: AuditFault[];
}

interface Deps {
  /** The database as the sealer role, which sees every customer's rows. */
  db: Database;
  signingKey: SigningKey;
  checkpointFile: string;
}

type JoinedRow = ChainedRow & { seq: number; hash: Buffer; audit_id: string };

/** Walks every chain and compares it with the rows, with the heads, and with the checkpoints outside the database. */
export function verifyAudit(deps: Deps): Promise<AuditReport> {
  return verifyChains(deps, null);
}

/** The same for one customer's chain alone; `onProgress` is told how many rows have been looked at. */
export function verifyCustomerAudit(deps: Deps, customerId: number, onProgress: OnProgress): Promise<AuditReport> {
  return verifyChains(deps, customerId, onProgress);
}

async function verifyChains(deps: Deps, asked: number | null, onProgress?: OnProgress): Promise<AuditReport> {
  const { db } = deps;
  // Each is read after what it has to cover, as chains and heads only grow.
  const { checkpoints, unsigned, promised, broken } = await comparePromises(deps, asked);
  const begun = await readBegun(db, asked);
  const heads = await readHeads(db, asked);
  const restores = await readRestores(db, deps.signingKey);
  const faults = [
    ...unsignedFaults(unsigned, 'a checkpoint has no valid signature'),
    ...unsignedFaults(restores.unsigned, 'a record of a restore has no valid signature'),
  ];
  let rows = 0;
  // Where the log of a customer was taken away as a whole, any of these still names them.
  for (const customerId of new Set([...begun, ...heads.keys(), ...promised])) {
    const known = { broken: broken.get(customerId), head: heads.get(customerId) };
    const walk = await walkChain(deps, customerId, known, onProgress);
    rows += walk.rows;
    if (walk.fault !== null) faults.push(walk.fault);
  }
  faults.push(...(await findUnchained(db, asked)), ...(await findReopened(db, asked)));
  return { rows, checkpoints, faults };
}

function unsignedFaults(count: number, reason: string): AuditFault[] {
  const fault = { customerId: 0, seq: null, auditId: null, reason };
  return Array.from({ length: count }, () => fault);
}

interface Head {
  seq: number;
  hash: Buffer;
}

/** Who has links, or a cut before which there were some. */
async function readBegun(db: Database, customerId: number | null): Promise<number[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ customer_id: number }>`
      select distinct l.customer_id from audit_chain l where ${isOf(customerId)}
      union select l.customer_id from audit_cuts l where ${isOf(customerId)} order by customer_id`.execute(tx),
  );
  return rows.map((row) => row.customer_id);
}

async function readHeads(db: Database, customerId: number | null): Promise<Map<number, Head>> {
  const { rows } = await db.untenanted((tx) =>
    sql<Head & { customer_id: number }>`
      select l.customer_id, l.seq, l.hash from audit_heads l where ${isOf(customerId)}`.execute(tx),
  );
  return new Map(rows.map(({ customer_id, seq, hash }) => [customer_id, { seq, hash }]));
}

/** Where a chain begins whose older rows were removed; null where nobody of this installation has signed that. */
async function readCut({ db, signingKey }: Deps, customer: number): Promise<Head | null | undefined> {
  const row = await db.untenanted((tx) =>
    tx.selectFrom('audit_cuts').selectAll().where('customer_id', '=', customer).executeTakeFirst(),
  );
  if (row === undefined) return undefined;
  const { seq, hash, years, at, signature } = row;
  const isGenuine = cutIsSigned(signingKey, { customer, seq, hash: hash.toString('hex'), years, at }, signature);
  return isGenuine ? { seq, hash } : null;
}

interface Known {
  broken: Broken | undefined;
  head: Head | undefined;
}

interface Walk {
  rows: number;
  fault: AuditFault | null;
}

type OnProgress = (checked: number) => Promise<void>;

/** Walks a chain, and once more where its beginning was removed meanwhile: then what was read first is gone for a reason. */
async function walkChain(deps: Deps, customerId: number, known: Known, onProgress?: OnProgress): Promise<Walk> {
  const cut = await readCut(deps, customerId);
  const walk = await walkFrom(deps.db, customerId, { ...known, cut }, onProgress);
  if (walk.fault === null || (await readCut(deps, customerId))?.seq === cut?.seq) return walk;
  return walkChain(deps, customerId, known, onProgress);
}

async function walkFrom(
  db: Database,
  customerId: number,
  { broken, head, cut }: Known & { cut: Head | null | undefined },
  onProgress?: OnProgress,
): Promise<Walk> {
  const start = cut?.seq ?? 0;
  let seq = start;
  let hash: Buffer = cut?.hash ?? FIRST_LINK;
  const wrong = (row: { seq: number; audit_id: string } | null, reason: string) => ({
    rows: seq - start,
    fault: { customerId, seq: row?.seq ?? seq + 1, auditId: row?.audit_id ?? null, reason },
  });
  if (cut === null) return wrong(null, 'the beginning was cut off, and no valid signature says so');
  if (cut !== undefined && broken?.differsAt === start)
    return wrong(null, 'the beginning differs from a signed checkpoint');
  for (let page = await readPage(db, customerId, start); page.length > 0; page = await readPage(db, customerId, seq)) {
    for (const row of page) {
      if (row.seq !== seq + 1) return wrong(null, 'a link is missing from the chain');
      if (row.id === null) return wrong(row, 'the row was removed');
      const expected = linkHash(hash, row);
      if (!expected.equals(row.hash)) return wrong(row, 'the row or its link was changed');
      seq = row.seq;
      hash = expected;
      if (broken?.differsAt === seq) return wrong(row, 'the chain differs from a signed checkpoint');
      if (head?.seq === seq && !head.hash.equals(hash)) return wrong(row, 'the chain differs from its head');
    }
    await onProgress?.(seq);
  }
  const last = broken?.knownUpTo ?? 0;
  if (last > seq) return wrong(null, `the end was cut off: a signed checkpoint knows ${last} rows`);
  if (head === undefined) return wrong(null, 'the head of the chain was removed');
  if (head.seq > seq) return wrong(null, `the end was cut off: the head knows ${head.seq} rows`);
  return { rows: seq - start, fault: null };
}

async function readPage(db: Database, customerId: number, after: number): Promise<JoinedRow[]> {
  const page = await db.untenanted((tx) =>
    sql<JoinedRow>`
      select c.seq, c.hash, c.audit_id, l.* from audit_chain c
      left join lateral (select ${sql.raw(CHAINED_COLUMNS)} from audit_log where id = c.audit_id) l on true
      where c.customer_id = ${customerId} and c.seq > ${after} order by c.seq limit ${PAGE}`.execute(tx),
  );
  return page.rows;
}

/** Rows in a chain that claim to be newer than what the sealer has closed would stop it when it meets them again. */
async function findReopened(db: Database, customerId: number | null): Promise<AuditFault[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: string; customer_id: number; seq: number }>`
      select l.id, c.customer_id, c.seq from audit_log l join audit_chain c on c.audit_id = l.id
      where l.xact >= (select sealed_below from audit_watermark) and ${isOf(customerId)} order by c.customer_id, c.seq limit 1`.execute(
      tx,
    ),
  );
  return rows.map(({ id, customer_id, seq }) => ({
    customerId: customer_id,
    seq,
    auditId: id,
    reason: 'the transaction of the row was changed',
  }));
}

/** Rows that claim to be older than what the sealer has closed, yet stand in no chain, were slipped in. */
async function findUnchained(db: Database, customerId: number | null): Promise<AuditFault[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: string; customer_id: number }>`
      select id, customer_id from audit_log l where xact < (select sealed_below from audit_watermark)
      and ${isOf(customerId)} and not exists (select from audit_chain c where c.audit_id = l.id) order by id limit 1`.execute(
      tx,
    ),
  );
  return rows.map((row) => ({
    customerId: row.customer_id,
    seq: null,
    auditId: row.id,
    reason: 'the row stands in no chain',
  }));
}

function isOf(customerId: number | null) {
  return customerId === null ? sql`true` : sql`l.customer_id = ${customerId}`;
}
