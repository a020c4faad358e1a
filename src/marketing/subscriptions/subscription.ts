import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import '../tables.ts';

/** That somebody is, or was, on a list. */
export interface Subscription {
  id: string;
  subscription_list_id: number;
  subscriber_id: string;
  /** The number of the person. */
  number: number;
  /** Whether it is still to be confirmed. */
  pending: boolean;
  unsubscribed_at: Date | null;
  created_at: Date;
}

/** The subscriptions of a customer. */
export function selectSubscriptions(tx: Tx, customerId: number) {
  return tx
    .selectFrom('subscriptions as c')
    .innerJoin('subscribers as s', (join) =>
      join.onRef('s.id', '=', 'c.subscriber_id').onRef('s.customer_id', '=', 'c.customer_id'),
    )
    .select([
      'c.id',
      'c.subscription_list_id',
      'c.subscriber_id',
      's.number',
      'c.pending',
      'c.unsubscribed_at',
      'c.created_at',
    ])
    .where('c.customer_id', '=', customerId);
}

/** The subscription that an id names: 404 where there is none, 403 where it is another customer's. */
export async function findSubscription(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<Subscription> {
  const missing = missingField('id', 'no such subscription');
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`find_subscription_customer(${id})`, missing);
  const found = await selectSubscriptions(tx, customerId).where('c.id', '=', id).executeTakeFirst();
  if (found === undefined) throw missing;
  return found;
}
