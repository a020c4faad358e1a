import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** Cancels the exports of a customer that are under way; answers how many. */
export async function stopAllExports(tx: Tx, clock: Clock, customerId: number): Promise<number> {
  const now = clock.now();
  const { numUpdatedRows } = await tx
    .updateTable('form_export_jobs')
    .set({ state: 'cancelled', updated_at: now, finished_at: now })
    .where('customer_id', '=', customerId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
