import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import '../tables.ts';

const WEEK_MS = 7 * 24 * 3600_000;

/** What a customer's forms add up to; deleted ones count for nothing, so that a trial run leaves no trace. */
export async function readStats(tx: Tx, customerId: number, now: Date) {
  const { rows } = await sql<{ active: number; total: number; week: number }>`
    select
      (select coalesce(sum(forms), 0)::bigint from form_tallies where customer_id = ${customerId} and active) as active,
      (select coalesce(sum(c.submission_count), 0)::bigint
        from form_counts c join forms f on f.customer_id = c.customer_id and f.id = c.form_id
        where c.customer_id = ${customerId} and not f.deleted) as total,
      (select count(*) from submissions s join forms f on f.customer_id = s.customer_id and f.id = s.form_id
        where s.customer_id = ${customerId} and s.id >= ${firstIdAt(new Date(now.getTime() - WEEK_MS))}::uuid
          and not f.deleted) as week`.execute(tx);
  const { active, total, week } = rows[0] as { active: number; total: number; week: number };
  return { active_form_count: active, total_submission_count: total, submissions_last_7_days: week };
}
