import { sql } from 'kysely';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { hasHolds, shareHolds } from '../holds/held.ts';
import { signCut } from './cut.ts';
import { recordAct } from './record.ts';
import type { SigningKey } from './signing-key.ts';
import '../tables.ts';

const MOST_ROWS = 20_000;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
  signingKey: SigningKey;
}

/**
 * Removes what is older than so many years from the beginning of a customer's audit log, and signs where the rest begins:
 * that still verifies. While anything of the customer is held, its log stays whole.
 */
export async function removeOldAudit(deps: Deps, customerId: number, years: number): Promise<void> {
  for (let removed = 1; removed > 0; ) {
    removed = await deps.db.tenant([customerId], (tx) => removePage(tx, deps, customerId, years));
  }
}

async function removePage(tx: Tx, { clock, signingKey }: Deps, customerId: number, years: number): Promise<number> {
  await shareHolds(tx, customerId);
  if (await hasHolds(tx, customerId)) return 0;
  const now = clock.now();
  const head = await findHead(tx, customerId, yearsBefore(now, years));
  if (head === undefined) return 0;
  const at = now.toISOString();
  const signature = signCut(signingKey, {
    customer: customerId,
    seq: head.seq,
    hash: head.hash.toString('hex'),
    years,
    at,
  });
  const { rows } = await sql<{ removed: number }>`
    select remove_audit(${customerId}, ${head.seq}, ${years}, ${now}, ${at}, ${signature}) as removed`.execute(tx);
  const removed = rows[0]?.removed ?? 0;
  const actor = { kind: 'worker', id: 'retention' } as const;
  const act: Act = { customerId, actor, action: 'audit.expired', requestId: null };
  await recordAct(tx, clock, act, { details: { rows: removed, up_to: head.seq, years } });
  return removed;
}

/** The last signed head before which all is old: not too far from where the log begins, or else the first of all. */
async function findHead(tx: Tx, customerId: number, limit: Date): Promise<{ seq: number; hash: Buffer } | undefined> {
  const { rows } = await sql<{ seq: number; hash: Buffer }>`
    with first as (
      select min(seq) as seq from audit_chain where customer_id = ${customerId}
    ), far as (
      select greatest((select seq from first) + ${MOST_ROWS}, min(h.seq) + 1) as seq from audit_signed_heads h
      where h.customer_id = ${customerId} and h.seq >= (select seq from first)
    ), young as (
      select min(c.seq) as seq from audit_chain c join audit_log l on l.id = c.audit_id and l.customer_id = ${customerId}
      where c.customer_id = ${customerId} and c.seq < (select seq from far) and l.at >= ${limit}
    )
    select h.seq, h.hash from audit_signed_heads h
    where h.customer_id = ${customerId} and h.seq >= (select seq from first)
      and h.seq < least((select seq from far), (select seq from young))
    order by h.seq desc limit 1`.execute(tx);
  return rows[0];
}

function yearsBefore(now: Date, years: number): Date {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - years);
  if (limit.getUTCMonth() !== now.getUTCMonth()) limit.setUTCDate(0); // of 29 February, as the database counts
  return limit;
}
