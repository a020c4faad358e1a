import { lastRecipientOf } from '../../email/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { findSubscribersAt } from '../subscribers/subscribers-at.ts';
import type { Recipient } from '../tracking/recipient.ts';
import '../tables.ts';

/** Who holds a mail in their hands. */
export interface Reader {
  /** Whom it went to or, where they were deleted, who has its address now. */
  people: string[];
  /** Where it went to, which need not be their address any more; null where nothing tells it. */
  address: string | null;
}

/** Who reads a mail; null where they were deleted and nothing tells any more where it went to. */
export async function findReader(
  tx: Tx,
  keys: CustomerVault,
  { id, customerId, subscriberId }: Recipient,
): Promise<Reader | null> {
  const person = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', subscriberId)
    .executeTakeFirst();
  const address = await lastRecipientOf(tx, keys, customerId, id);
  if (person !== undefined) return { people: [person.id], address };
  return address === null ? null : { people: await findSubscribersAt(tx, customerId, [address]), address };
}
