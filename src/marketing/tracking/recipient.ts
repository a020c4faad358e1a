import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import { ofOwner } from '../of-owner.ts';
import '../tables.ts';

/** The person whom one mail of a mailing went to. */
export interface Recipient {
  id: string;
  customerId: number;
  sendId: number;
  mailingId: number;
  subscriberId: string;
}

/** Runs work for the recipient that a link names; null where their row is no longer there. */
export async function ofRecipient<T>(
  db: Database,
  id: string,
  work: (tx: Tx, recipient: Recipient) => Promise<T>,
): Promise<T | null> {
  return ofOwner(db, sql<number | null>`find_message_customer(${id})`, async (tx, customerId) => {
    const row = await tx
      .selectFrom('mailing_recipients')
      .select(['send_id', 'mailing_id', 'subscriber_id'])
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { send_id: sendId, mailing_id: mailingId, subscriber_id: subscriberId } = row;
    return work(tx, { id, customerId, sendId, mailingId, subscriberId });
  });
}
