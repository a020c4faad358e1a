import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import '../../tables.ts';

/**
 * Holds a send that waits for somebody's decision, for whoever is about to change its mails and maybe wake it: a send is
 * locked before its mails, in this order everywhere.
 */
export async function holdUndecided(
  tx: Tx,
  { customerId, sendId }: { customerId: number; sendId: number },
): Promise<void> {
  await sql`select from campaign_mailing_sends where customer_id = ${customerId} and id = ${sendId}
    and state = 'needs_decision' for update`.execute(tx);
}
