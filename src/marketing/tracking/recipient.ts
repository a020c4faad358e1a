import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
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

/** Runs work for the recipient that a link names, with the customer's keys; null where their row is no longer there. */
export async function ofRecipient<T>(
  deps: { db: Database; vault: Vault },
  id: string,
  work: (tx: Tx, recipient: Recipient, keys: CustomerVault) => Promise<T>,
): Promise<T | null> {
  return ofOwner(deps, sql<number | null>`find_message_customer(${id})`, async (tx, { customerId, keys }) => {
    const row = await tx
      .selectFrom('mailing_recipients')
      .select(['send_id', 'mailing_id', 'subscriber_id'])
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { send_id: sendId, mailing_id: mailingId, subscriber_id: subscriberId } = row;
    return work(tx, { id, customerId, sendId, mailingId, subscriberId }, keys);
  });
}
