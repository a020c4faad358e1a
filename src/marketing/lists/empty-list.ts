import { sql } from 'kysely';
import { requireNothingHeld } from '../../accounts/index.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import '../tables.ts';

const PAGE = 10_000;

/** The side job that removes who was on a list that is gone. */
export const EMPTY_LIST = 'marketing.empty-list';

/** Removes one page of those who were on a list that is gone; answers whether there may be more. */
export async function emptyListPage(tx: Tx, customerId: number, listId: number): Promise<boolean> {
  await requireNothingHeld(tx, customerId);
  const { rows } = await sql<{ removed: number }>`
    with page as (
      select id from subscriptions where customer_id = ${customerId} and subscription_list_id = ${listId} limit ${PAGE}
    ), removed as (
      delete from subscriptions s using page where s.customer_id = ${customerId} and s.id = page.id returning 1
    )
    select count(*) as removed from removed`.execute(tx);
  const hasMore = (rows[0]?.removed ?? 0) === PAGE;
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
  { db }: { db: Database },
  { customerId, listId }: { customerId: number; listId: number },
): Promise<void> {
  while (await db.tenant([customerId], (tx) => emptyListPage(tx, customerId, listId)));
}
