import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';

/** Throws unless a list is the customer's: 404 where it exists nowhere, 403 where it is another's. */
export async function requireOwnList(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: number,
  name = 'subscription_list_id',
): Promise<void> {
  const missing = missingField(name, 'no such list');
  await requireOwn(tx, customerId, sql<number | null>`find_subscription_list_customer(${id})`, missing);
  const own = await tx
    .selectFrom('subscription_lists')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (own === undefined) throw missing;
}
