import { type RawBuilder, sql } from 'kysely';

/** How somebody stands with all their lists together; both are null for who never was on one. */
export function standing(customerId: number, subscriberId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (select bool_or(active) as active, bool_or(pending) as pending from subscriptions
    where customer_id = ${customerId} and subscriber_id = ${subscriberId})`;
}
