import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Page } from '../../read-page.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { Leaving } from '../engine/traveller.ts';
import { type Enrolment, readEnrolments } from './enrolment.ts';
import '../../tables.ts';

/** Which enrolments are wanted; null where anything will do. */
export interface EnrolmentFilter {
  state: Enrolment['state'] | null;
  reason: Leaving | null;
  step: string | null;
  version: number | null;
  subscriber_id: string | null;
}

/** One page of the enrolments in a drip, the newest first. */
export function listEnrolments(
  tx: Tx,
  drip: Drip,
  filter: EnrolmentFilter,
  { page, items }: Page,
): Promise<Enrolment[]> {
  return readEnrolments(tx, drip, fits(filter), sql`limit ${items} offset ${(page - 1) * items}`);
}

/** How many fit. */
export async function countEnrolments(tx: Tx, drip: Drip, filter: EnrolmentFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from drip_enrolments e
    where e.customer_id = ${drip.customer_id} and e.drip_id = ${drip.id} and ${fits(filter)}`.execute(tx);
  return rows[0]?.total ?? 0;
}

function fits(filter: EnrolmentFilter): RawBuilder<boolean> {
  const conditions = Object.entries(filter)
    .filter(([, wanted]) => wanted !== null)
    .map(([column, wanted]) => sql<boolean>`${sql.ref(`e.${column}`)} = ${wanted}`);
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
