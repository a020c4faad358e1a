import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { ReadScope } from '../reads/who-read.ts';
import { allPages, PAGE, type Span } from '../span.ts';
import type { IncidentState, Severity } from '../tables.ts';
import '../tables.ts';

const DAY_MS = 86_400_000;
/** How long after discovery those concerned have to be told at the latest (45 CFR 164.404(b), 164.410(b)). */
const NOTICE_DAYS = 60;

/** What a notice has to say (45 CFR 164.404(c)(1)), beside the dates. */
export interface Told {
  what_happened: string;
  information: string;
  steps: string;
  doing: string;
  contact: string;
}

/** Whose reading an incident is about, as it was saved. */
export interface SavedScope {
  actor_kind: ReadScope['actor']['kind'];
  actor_id: string;
  from: string;
  to: string;
}

/** An incident without what is told of it. */
export interface Incident {
  id: string;
  customerId: number;
  discoveredAt: Date;
  breachFrom: Date | null;
  breachTo: Date | null;
  severity: Severity;
  state: IncidentState;
  scope: SavedScope | null;
  openedAt: Date;
  openedBy: string;
  closedAt: Date | null;
}

/** One thing that was noted about an incident. */
export interface IncidentEntry {
  id: string;
  at: Date;
  author: { kind: string; id: string };
  state: IncidentState;
  text: string;
}

/** Until when those concerned have to be told. */
export function noticeDue({ discoveredAt }: Incident): Date {
  return new Date(discoveredAt.getTime() + NOTICE_DAYS * DAY_MS);
}

/** The incidents of a customer, or of the installation, discovered in a span of time; the latest first. */
export function listIncidents(db: Database, { customerId, from, to }: Span): Promise<Incident[]> {
  return allPages(async (before) => {
    const fits = sql`discovered_at >= ${from} and discovered_at < ${to} and (${before}::uuid is null or id < ${before})`;
    const { rows } = await db.tenant([customerId], (tx) => selectIncidents(customerId, fits).execute(tx));
    return rows;
  });
}

/** One incident: 404 where none has the id, 403 where it is another's. */
export async function findIncident(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<Incident> {
  const missing = 'No such incident';
  if (!isUuid(id)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, sql<number | null>`find_incident_customer(${id})`, missing);
  const { rows } = await selectIncidents(customerId, sql`id = ${id}`).execute(tx);
  if (rows[0] === undefined) throw new AppError('not_found', missing);
  return rows[0];
}

/** What is told of an incident, and its timeline in the order of time. */
export async function openIncident(
  tx: Tx,
  keys: CustomerVault,
  { id, customerId }: Incident,
): Promise<{ told: Told; timeline: IncidentEntry[] }> {
  const { told } = await tx
    .selectFrom('incidents')
    .select('told')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const entries = await tx
    .selectFrom('incident_entries')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('incident_id', '=', id)
    .orderBy('id')
    .execute();
  return {
    told: JSON.parse(keys.open(toldPlace(id), told).toString()) as Told,
    timeline: entries.map((entry) => ({
      id: entry.id,
      at: entry.at,
      author: { kind: entry.author_kind, id: entry.author_id },
      state: entry.state,
      text: keys.open(entryPlace(entry.id), entry.told).toString(),
    })),
  };
}

export function toldPlace(id: string): { table: string; row: string; column: string } {
  return { table: 'incidents', row: id, column: 'told' };
}

export function entryPlace(id: string): { table: string; row: string; column: string } {
  return { table: 'incident_entries', row: id, column: 'told' };
}

function selectIncidents(customerId: number, where: ReturnType<typeof sql>) {
  return sql<Incident>`
    select id, customer_id as "customerId", discovered_at as "discoveredAt", breach_from as "breachFrom",
      breach_to as "breachTo", severity, state, scope, opened_at as "openedAt",
      opened_by_kind || ' ' || opened_by as "openedBy", closed_at as "closedAt"
    from incidents where customer_id = ${customerId} and ${where} order by id desc limit ${PAGE}`;
}
