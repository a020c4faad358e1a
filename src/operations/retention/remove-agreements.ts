import { sql } from 'kysely';
import { hasHolds, INSTALLATION, shareHolds } from '../../accounts/index.ts';
import type { Database } from '../../platform/db/database.ts';

/** After the end of an agreement (45 CFR 164.316(b)(2)(i)). */
const KEPT_YEARS = 6;

/**
 * Removes agreements of a customer that ended six years ago, with what was signed, unless something is held; the sweep of
 * orphans takes the files.
 */
export async function removeAgreements({ db }: { db: Database }, customerId: number, now: Date): Promise<void> {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - KEPT_YEARS);
  // Those of a customer that was destroyed are sealed under the installation's key.
  await db.tenant([INSTALLATION, customerId], async (tx) => {
    await shareHolds(tx, customerId);
    if (await hasHolds(tx, customerId)) return;
    await sql`
      with gone as (
        delete from agreements where customer_id = ${customerId} and ends_on < ${limit.toISOString().slice(0, 10)}::date
        returning pdf_blob_id
      )
      delete from blobs where id in (select pdf_blob_id from gone)`.execute(tx);
  });
}
