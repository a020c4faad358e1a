import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** What a customer wants to know about its mail at this moment; everything, where it has said nothing. */
export async function readTracking(
  tx: Tx,
  customerId: number,
): Promise<{ track_links: boolean; track_opens: boolean }> {
  const { rows } = await sql<{ link_tracking: boolean; open_tracking: boolean }>`
    select link_tracking, open_tracking from email_settings where customer_id = ${customerId}`.execute(tx);
  return { track_links: rows[0]?.link_tracking ?? true, track_opens: rows[0]?.open_tracking ?? true };
}
