import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { letExport } from './create.ts';
import '../tables.ts';

const STALLED_MS = 60_000;
const LONGEST_MS = 24 * 3600_000;

/** Takes up exports that nobody has worked on for a while, as their process died. After a day one is given up. */
export async function resumeFormExports({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - STALLED_MS);
  const tooOld = new Date(now.getTime() - LONGEST_MS);
  const { rows } = await db.untenanted((tx) =>
    sql<{ customer_id: number; id: string }>`select * from find_stalled_form_exports(${before})`.execute(tx),
  );
  for (const { customer_id: customerId, id: jobId } of rows) {
    await db.tenant([customerId], async (tx) => {
      const { rows: taken } = await sql<{ state: string }>`
        update form_export_jobs set updated_at = ${now},
          state = case when created_at < ${tooOld} then 'failed' else state end,
          finished_at = case when created_at < ${tooOld} then ${now}::timestamptz end
        where customer_id = ${customerId} and id = ${jobId} and state in ('waiting', 'running')
          and updated_at < ${before}
        returning state`.execute(tx);
      if (taken[0] !== undefined && taken[0].state !== 'failed') await letExport(tx, { customerId, jobId });
    });
  }
}
