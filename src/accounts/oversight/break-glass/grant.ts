import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { INSTALLATION } from '../../audit/signing-key.ts';
import { allPages, PAGE, type Span } from '../span.ts';
import '../tables.ts';
import '../../tables.ts';

/** How long somebody has to open what was asked for. */
const WAITING_MS = 3600_000;

export type GrantState = 'asked' | 'lapsed' | 'open' | 'expired' | 'ended';

/** Emergency access of an operator to one customer. */
export interface Grant {
  id: string;
  customerId: number;
  customerName: string;
  operatorId: string;
  operatorEmail: string;
  minutes: number;
  askedAt: Date;
  openedAt: Date | null;
  openedByKind: 'operator' | 'customer' | 'code' | null;
  openedBy: string | null;
  expiresAt: Date | null;
  endedAt: Date | null;
  endedByKind: 'operator' | 'customer' | 'cli' | null;
}

/** How far a grant has come. */
export function stateOf(grant: Pick<Grant, 'askedAt' | 'expiresAt' | 'endedAt'>, now: Date): GrantState {
  if (grant.endedAt !== null) return 'ended';
  if (grant.expiresAt !== null) return grant.expiresAt > now ? 'open' : 'expired';
  return now.getTime() - grant.askedAt.getTime() < WAITING_MS ? 'asked' : 'lapsed';
}

/** Whether a grant opens something just now. */
export async function isGrantOpen(
  tx: Tx,
  clock: Clock,
  { customerId, grantId }: { customerId: number; grantId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('break_glass_grants')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', grantId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row !== undefined;
}

/** The emergency access to a customer that is open just now and ends last; null where there is none. */
export async function findOpenGrant(
  tx: Tx,
  clock: Clock,
  customerId: number,
): Promise<{ id: string; until: Date } | null> {
  const row = await tx
    .selectFrom('break_glass_grants')
    .select(['id', 'expires_at'])
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .orderBy('expires_at', 'desc')
    .executeTakeFirst();
  const until = row?.expires_at ?? null;
  return row === undefined || until === null ? null : { id: row.id, until };
}

/** The grants of a customer that were asked for in a span of time, the latest first. */
export function listGrantsOf(db: Database, { customerId, from, to }: Span): Promise<Grant[]> {
  return allPages(async (before) => {
    const fits = sql`g.customer_id = ${customerId} and g.asked_at >= ${from} and g.asked_at < ${to}
      and (${before}::uuid is null or g.id < ${before})`;
    const { rows } = await db.tenant([INSTALLATION, customerId], (tx) => selectGrants(fits).execute(tx));
    return rows;
  });
}

/** The latest five hundred grants of all customers that were asked for in a span of time. */
export async function listGrants(db: Database, { from, to }: Omit<Span, 'customerId'>): Promise<Grant[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: string; customer_id: number }>`
      select * from find_break_glass_grants(null, ${from}, ${to})`.execute(tx),
  );
  if (rows.length === 0) return [];
  const customers = [...new Set(rows.map((row) => row.customer_id))];
  const ids = rows.map(({ id }) => id);
  const found: Grant[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    const among = sql`g.id = any(${ids.slice(at, at + PAGE)}::uuid[])`;
    found.push(...(await db.tenant([INSTALLATION, ...customers], (tx) => selectGrants(among).execute(tx))).rows);
  }
  return found;
}

/** One grant by its id, in a transaction that sees its customer and the installation. */
export async function readGrant(tx: Tx, id: string): Promise<Grant | null> {
  const { rows } = await selectGrants(sql`g.id = ${id}::uuid`).execute(tx);
  return rows[0] ?? null;
}

/** Whose a grant is; null where there is none of that id. */
export async function findGrantCustomer(db: Database, id: string): Promise<number | null> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: number | null }>`select find_break_glass_customer(${id}) as id`.execute(tx),
  );
  return rows[0]?.id ?? null;
}

/** Why a grant was asked for. */
export async function openReason(
  { db, vault }: { db: Database; vault: Vault },
  { id, customerId }: Pick<Grant, 'id' | 'customerId'>,
): Promise<string> {
  const keys = await vault.of(customerId);
  const { reason } = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('break_glass_grants')
      .select('reason')
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
  return keys.open({ table: 'break_glass_grants', row: id, column: 'reason' }, reason).toString();
}

function selectGrants(where: ReturnType<typeof sql>) {
  return sql<Grant>`
    select g.id, g.customer_id as "customerId", c.name as "customerName", g.operator_id as "operatorId",
      coalesce(u.email, '') as "operatorEmail", g.minutes, g.asked_at as "askedAt", g.opened_at as "openedAt",
      g.opened_by_kind as "openedByKind", g.opened_by as "openedBy", g.expires_at as "expiresAt",
      g.ended_at as "endedAt", g.ended_by_kind as "endedByKind"
    from break_glass_grants g join customers c on c.id = g.customer_id
    left join users u on u.customer_id = ${INSTALLATION} and u.id = g.operator_id
    where ${where} order by g.id desc limit ${PAGE}`;
}
