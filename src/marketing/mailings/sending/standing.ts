import { type RawBuilder, sql } from 'kysely';

/**
 * How somebody stands with all their lists together; both are null for who never was on one. A list that was deleted
 * does not count, as who was on it may be there for a while longer.
 */
export function standing(customerId: number, subscriberId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (select bool_or(active) as active, bool_or(pending) as pending from subscriptions place
    cross join lateral (
      select from subscription_lists list where list.customer_id = ${customerId} and list.id = place.subscription_list_id
      offset 0 -- keeps the lists from being read in whole for each person
    ) existing where place.customer_id = ${customerId} and place.subscriber_id = ${subscriberId})`;
}
