import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import '../tables.ts';

/** How somebody's consent came to change. */
export type ConsentSource = 'api' | 'form' | 'import' | 'link' | 'page' | 'bounce' | 'cli' | 'drip';

/** What shows that a change of consent happened: ids and what was done. */
export interface Evidence {
  source: ConsentSource;
  details: Record<string, string | number>;
  at: Date;
}

interface People {
  customerId: number;
  people: readonly string[];
}

/** Puts people on lists; who left one or opted out stays out, unless they are asked back `again`. */
export async function joinLists(
  tx: Tx,
  { customerId, people, lists }: People & { lists: readonly number[] },
  { source, details, at }: Evidence,
  again: boolean,
): Promise<void> {
  await sql`select join_lists(${customerId}, ${people}::uuid[], ${lists}::bigint[], ${again}, ${source},
    ${JSON.stringify(details)}::jsonb, ${at})`.execute(tx);
}

/** Takes people off lists and answers how many subscriptions that ended. */
export async function leaveLists(
  tx: Tx,
  { customerId, people, lists }: People & { lists: readonly number[] },
  { source, details, at }: Evidence,
): Promise<number> {
  const { rows } = await sql<{ gone: number }>`select leave_lists(${customerId}, ${people}::uuid[], ${lists}::bigint[],
    ${source}, ${JSON.stringify(details)}::jsonb, ${at}) as gone`.execute(tx);
  return rows[0]?.gone ?? 0;
}

/** Takes people off a list, and lets those who are not on it, as somebody new at an old address, stay out of it too. */
export async function leaveForGood(
  tx: Tx,
  clock: Clock,
  { customerId, people, listId }: People & { listId: number },
  evidence: Evidence,
): Promise<void> {
  const places = people.map((personId) => ({
    id: timeOrderedId(clock),
    customer_id: customerId,
    subscription_list_id: listId,
    subscriber_id: personId,
    created_at: evidence.at,
    active: false,
  }));
  await tx
    .insertInto('subscriptions')
    .values(places)
    .onConflict((conflict) => conflict.columns(['customer_id', 'subscription_list_id', 'subscriber_id']).doNothing())
    .execute();
  await leaveLists(tx, { customerId, people, lists: [listId] }, evidence);
}
