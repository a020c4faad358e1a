import { type SqlBool, sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import '../tables.ts';

/** How many rows one look passes over at most: no statement runs long, however seldom something fits. */
const MOST_SEEN = 20_000;
const EXPORT_PAGE = 1_000;

/** What of the log is wanted; null where anything will do. */
export interface AuditFilter {
  /** The id of a person or a key, or the word for whoever else acted. */
  actor: string | null;
  /** How the action begins. */
  action: string | null;
  target: string | null;
  from: Date | null;
  to: Date | null;
}

/** An act as the log tells it. */
export interface AuditEntry {
  id: string;
  at: Date;
  actorKind: string;
  actorId: string;
  /** The address of a person or the name of a key, as far as it is still known. */
  actorName: string | null;
  action: string;
  target: string | null;
  requestId: string | null;
  details: Record<string, unknown> | null;
}

export interface AuditPage {
  entries: AuditEntry[];
  /** What the next page comes after; null where there is none. */
  next: string | null;
}

interface PageWanted {
  limit: number;
  /** The id that the page comes after, towards the past. */
  before: string | null;
}

/** A page of a customer's audit log, newest first. It may hold less than was asked for and still have a next one. */
export async function readAuditLog(
  tx: Tx,
  customerId: number,
  filter: AuditFilter,
  { limit, before }: PageWanted,
): Promise<AuditPage> {
  const seen = (most: number) => rowsBefore(tx, customerId, filter, before).limit(most);
  const rows = await tx
    .selectFrom(seen(MOST_SEEN).as('l'))
    .leftJoin('users as u', (join) =>
      join
        .on('l.actor_kind', '=', 'user')
        .on('u.customer_id', '=', customerId)
        .on(sql<SqlBool>`u.id::text = l.actor_id`),
    )
    .leftJoin('api_keys as k', (join) =>
      join
        .on('l.actor_kind', '=', 'key')
        .on('k.customer_id', '=', customerId)
        .on(sql<SqlBool>`k.id::text = l.actor_id`),
    )
    .select(['l.id', 'l.at', 'l.actor_kind', 'l.actor_id', 'l.action', 'l.target', 'l.request_id', 'l.details'])
    .select(sql<string | null>`coalesce(u.email, k.name)`.as('actor_name'))
    .where(sql<SqlBool>`(${filter.actor}::text is null or l.actor_id = ${filter.actor})`)
    .where(sql<SqlBool>`(${filter.action}::text is null or starts_with(l.action, ${filter.action}))`)
    .where(sql<SqlBool>`(${filter.target}::text is null or l.target = ${filter.target})`)
    .orderBy('l.id', 'desc')
    .limit(limit)
    .execute();
  const entries = rows.map((row) => ({
    id: row.id,
    at: row.at,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.actor_name,
    action: row.action,
    target: row.target,
    requestId: row.request_id,
    details: row.details as Record<string, unknown> | null,
  }));
  if (entries.length === limit) return { entries, next: entries.at(-1)?.id ?? null };
  const [last] = await seen(1)
    .offset(MOST_SEEN - 1)
    .execute();
  return { entries, next: last?.id ?? null };
}

/** All that fits, page by page, each in a transaction of its own. */
export async function* walkAuditLog(
  db: Database,
  customerId: number,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[]> {
  for (let before: string | null = null; ; ) {
    const place: PageWanted = { limit: EXPORT_PAGE, before };
    const page = await db.tenant([customerId], (tx) => readAuditLog(tx, customerId, filter, place));
    if (page.entries.length > 0) yield page.entries;
    if (page.next === null) return;
    before = page.next;
  }
}

/** The actions among the newest rows of a customer's log. */
export async function listAuditActions(tx: Tx, customerId: number): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select distinct action from (
      select action from audit_log where customer_id = ${customerId} order by id desc limit ${MOST_SEEN}) l
    order by action`.execute(tx);
  return rows.map(({ action }) => action);
}

function rowsBefore(tx: Tx, customerId: number, { from, to }: AuditFilter, before: string | null) {
  let rows = tx.selectFrom('audit_log').selectAll().where('customer_id', '=', customerId).orderBy('id', 'desc');
  if (before !== null) rows = rows.where('id', '<', before);
  if (from !== null) rows = rows.where('id', '>=', firstIdAt(from));
  if (to !== null) rows = rows.where('id', '<', firstIdAt(to));
  return rows;
}
