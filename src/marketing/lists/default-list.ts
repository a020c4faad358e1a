import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** What the list is called until somebody calls it otherwise. */
export const DEFAULT_LIST_NAME = 'All subscribers';

/** The id of the list that every subscriber of a customer joins, made on first use. */
export async function defaultListId(tx: Tx, clock: Clock, customerId: number): Promise<number> {
  const known = await findDefaultList(tx, customerId);
  if (known !== null) return known;
  const now = clock.now();
  await tx
    .insertInto('subscription_lists')
    .values({ customer_id: customerId, name: DEFAULT_LIST_NAME, is_default: true, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['customer_id']).where('is_default', '=', true).doNothing())
    .execute();
  return (await findDefaultList(tx, customerId)) as number;
}

/** The id of that list; null where there is none yet. */
export async function findDefaultList(tx: Tx, customerId: number): Promise<number | null> {
  const found = await tx
    .selectFrom('subscription_lists')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('is_default', '=', true)
    .executeTakeFirst();
  return found?.id ?? null;
}
