import type { Tx } from '../../../platform/db/database.ts';
import '../../tables.ts';

/** Whether a send of a customer, also one of a drip, is still to mail something from a domain or from within it. */
export async function hasOpenSends(tx: Tx, customerId: number, domain: string): Promise<boolean> {
  const open = await tx
    .selectFrom('campaign_mailing_sends')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('finished_at', 'is', null)
    .where((where) =>
      where.or([where('sender_email', 'like', `%@${domain}`), where('sender_email', 'like', `%.${domain}`)]),
    )
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}
