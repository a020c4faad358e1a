import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { type Subscriber, selectSubscribers } from './subscriber.ts';

const PAGE = 1000;

/** People of a customer by their ids; those who were deleted are left out. */
export function peopleById(tx: Tx, customerId: number, ids: readonly string[]): Promise<Subscriber[]> {
  return selectSubscribers(tx, customerId).where(sql<boolean>`id = any(${ids}::uuid[])`).execute();
}

/** A page of the people who were there before an id, by their ids, after the last of the page before. */
export async function peopleBefore(
  tx: Tx,
  customerId: number,
  { before, after }: { before: string; after: string | null },
): Promise<string[]> {
  let page = tx
    .selectFrom('subscribers')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '<', before)
    .orderBy('id')
    .limit(PAGE);
  if (after !== null) page = page.where('id', '>', after);
  return (await page.execute()).map(({ id }) => id);
}
