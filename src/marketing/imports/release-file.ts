import { sql } from 'kysely';
import { hasHolds, shareHolds } from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Gives up the file of an import that needs it no more; the next sweep removes it from the store. While anything is held
 * the file stays, and goes with the first sweep after that.
 */
export async function releaseFile(tx: Tx, customerId: number, importId: string): Promise<void> {
  await shareHolds(tx, customerId);
  if (await hasHolds(tx, customerId)) return;
  const { rows } = await sql<{ blob_id: string | null }>`
    select blob_id from imports where customer_id = ${customerId} and id = ${importId} for update`.execute(tx);
  await sql`update imports set blob_id = null where customer_id = ${customerId} and id = ${importId}`.execute(tx);
  await sql`delete from blobs where customer_id = ${customerId} and id = ${rows[0]?.blob_id ?? null}`.execute(tx);
}
