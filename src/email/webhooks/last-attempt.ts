import { sql } from 'kysely';

/**
 * Whether nobody is just making an attempt at a delivery. Meanwhile its lease stands in the same column as the time of the
 * next one, and whoever moves that has it made twice.
 */
export function lastAttemptIsOver(customerId: number) {
  return sql<boolean>`exists (select from webhook_attempts a where a.customer_id = ${customerId}
    and a.delivery_id = webhook_deliveries.id and a.attempt = webhook_deliveries.attempts
    and a.finished_at is not null)`;
}
