import { sql } from 'kysely';
import { hasHolds, shareHolds } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { EXPORT_DAYS } from './kept-days.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;

interface Expired {
  customer_id: number;
  id: string;
}

/**
 * Gives up the files of exports that have been kept long enough, unless something is held; the sweep of the store removes
 * them.
 */
export async function sweepExports({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - EXPORT_DAYS * DAY_MS);
  for (;;) {
    const { rows } = await db.untenanted((tx) =>
      sql<Expired>`select * from find_expired_exports(${before})`.execute(tx),
    );
    if (rows.length === 0) return;
    for (const expired of rows) await db.tenant([expired.customer_id], (tx) => release(tx, expired));
  }
}

async function release(tx: Tx, { customer_id: customerId, id }: Expired): Promise<void> {
  await shareHolds(tx, customerId);
  if (await hasHolds(tx, customerId)) return; // found again once nothing is held
  const { rows } = await sql<{ blob_id: string | null }>`
    select blob_id from bulk_jobs where customer_id = ${customerId} and id = ${id} for update`.execute(tx);
  await sql`update bulk_jobs set blob_id = null where customer_id = ${customerId} and id = ${id}`.execute(tx);
  await sql`delete from blobs where customer_id = ${customerId} and id = ${rows[0]?.blob_id ?? null}`.execute(tx);
}
