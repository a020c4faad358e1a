import { sql } from 'kysely';
import { requireNothingHeld } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { removeSubscriptions } from '../subscriptions/remove.ts';
import '../tables.ts';

const PAGE = 10_000;

/** The side job that removes who was on a list that is gone. */
export const EMPTY_LIST = 'marketing.empty-list';

/** Removes one page of those who were on a list that is gone; answers whether there may be more. */
export async function emptyListPage(tx: Tx, clock: Clock, customerId: number, listId: number): Promise<boolean> {
  await requireNothingHeld(tx, customerId);
  const onList = sql<boolean>`id in (select id from subscriptions
    where customer_id = ${customerId} and subscription_list_id = ${listId} limit ${PAGE})`;
  const hasMore = (await removeSubscriptions(tx, clock, customerId, onList)) === PAGE;
  if (!hasMore) {
    await tx
      .deleteFrom('list_counts')
      .where('customer_id', '=', customerId)
      .where('subscription_list_id', '=', listId)
      .execute();
  }
  return hasMore;
}

/** Removes everybody who was on a list that is gone, page by page. */
export async function emptyList(
  { db, clock }: { db: Database; clock: Clock },
  { customerId, listId }: { customerId: number; listId: number },
): Promise<void> {
  while (await db.tenant([customerId], (tx) => emptyListPage(tx, clock, customerId, listId)));
}
