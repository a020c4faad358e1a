import { sql } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import '../../tables.ts';

const MOST = 100;

/** A running drip, and when the first of its people is due. */
export interface DueDrip {
  dripId: number;
  customerId: number;
  dueAt: Date;
}

/**
 * The running drips with people who are due or will be, but for some, whoever's they are. Those that are due come first and in
 * any order: the most overdue is so until it has no people left, and nobody's drips may wait for that.
 */
export async function nextDrips(db: Database, now: Date, but: readonly number[]): Promise<DueDrip[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<DueDrip>`
      select d.id as "dripId", d.customer_id as "customerId", e.due_at as "dueAt" from drip_campaigns d
      cross join lateral (select due_at from drip_enrolments e where e.drip_id = d.id and e.due_at is not null
        order by e.due_at limit 1) e
      where d.state = 'running' and not (d.id = any(${but}::bigint[]))
      order by greatest(e.due_at, ${now}), random() limit ${MOST}`.execute(tx),
  );
  return rows;
}
