import { sql } from 'kysely';
import { listTenants } from '../../accounts/index.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { emptyLater } from './empty-list.ts';
import '../tables.ts';

/**
 * Lets lists that are gone be emptied of whom a hold kept on them, where it is released, and where a job did not come to its
 * end. As long as it stands there is nothing to do for that job.
 */
export async function sweepGoneLists(db: Database): Promise<void> {
  for (const customerId of await listTenants(db)) {
    await db.tenant([customerId], async (tx) => {
      for (const listId of await goneLists(tx, customerId)) await emptyLater(tx, { customerId, listId });
    });
  }
}

/** The lists that are gone and on which people still have places: from list to list by the key, whoever is on them. */
async function goneLists(tx: Tx, customerId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive lists as (
      (select subscription_list_id as id from subscriptions where customer_id = ${customerId}
      order by subscription_list_id limit 1)
      union all
      select next.id from lists cross join lateral (
        select subscription_list_id as id from subscriptions
        where customer_id = ${customerId} and subscription_list_id > lists.id
        order by subscription_list_id limit 1) next
    )
    select id from lists where not exists (
      select from subscription_lists l where l.customer_id = ${customerId} and l.id = lists.id)`.execute(tx);
  return rows.map(({ id }) => id);
}
