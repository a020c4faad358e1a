import type { Tx } from '../../platform/db/database.ts';
import type { Page } from '../read-page.ts';
import { type Subscription, selectSubscriptions } from './subscription.ts';
import '../tables.ts';

export interface SubscriptionQuery extends Page {
  /** Only those of this person. */
  subscriberId: string | null;
  /** Only those of this list. */
  listId: number | null;
}

/** One page of subscriptions, by list and then in the order the people came; and how many fit in all. */
export async function listSubscriptions(
  tx: Tx,
  customerId: number,
  { subscriberId, listId, page, items }: SubscriptionQuery,
): Promise<{ subscriptions: Subscription[]; total: number }> {
  const subscriptions = await selectSubscriptions(tx, customerId)
    .$if(subscriberId !== null, (query) => query.where('c.subscriber_id', '=', subscriberId))
    .$if(listId !== null, (query) => query.where('c.subscription_list_id', '=', listId))
    .orderBy('c.subscription_list_id')
    .orderBy('c.subscriber_id')
    .limit(items)
    .offset((page - 1) * items)
    .execute();
  const { total } = await tx
    .selectFrom('subscriptions as c')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('c.customer_id', '=', customerId)
    .$if(subscriberId !== null, (query) => query.where('c.subscriber_id', '=', subscriberId))
    .$if(listId !== null, (query) => query.where('c.subscription_list_id', '=', listId))
    .executeTakeFirstOrThrow();
  return { subscriptions, total };
}
