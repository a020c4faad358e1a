import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { preparedAs } from '../../platform/db/prepared.ts';
import '../tables.ts';

const LEASE_MS = 60_000;

/** A delivery that is this process's to attempt until the lease ends. */
export interface WebhookLease {
  id: string;
  customer_id: number;
  endpoint_id: number;
  sequence: number;
  event_name: string;
  facts: Record<string, string | number>;
  attempts: number;
  attempts_before: number;
  created_at: Date;
}

/** An attempt that this process is making. */
export interface UnderWay {
  id: string;
  endpoint_id: number;
  customer_id: number;
}

interface Places {
  most: number;
  perEndpoint: number;
  perCustomer: number;
  underWay: UnderWay[];
}

/**
 * Takes deliveries that are due, a few of each endpoint and of each customer, so that a long queue for those
 * that hang does not stand before the others. Where order is strict, only the first that waits may go. What is under way
 * here is not taken again, though its lease may have ended while the database was away.
 */
export async function leaseDeliveries(
  { db, clock }: { db: Database; clock: Clock },
  { most, perEndpoint, perCustomer, underWay }: Places,
): Promise<WebhookLease[]> {
  const now = clock.now();
  return db.untenanted(async (tx) => {
    const { rows } = await sql<WebhookLease>`
      ${preparedAs('lease-webhooks')} with busy as (
        select * from json_to_recordset(${JSON.stringify(underWay)}::json) as b (endpoint_id int, customer_id int)
      ), waiting as (
        select d.id, d.due_at, row_number() over (partition by e.customer_id order by d.due_at)
          + (select count(*) from busy b where b.customer_id = e.customer_id) as nth
        from webhook_endpoints e cross join lateral (
          select id, due_at from webhook_deliveries
          where endpoint_id = e.id and due_at <= ${now} and id <> all(${underWay.map(({ id }) => id)}::uuid[]) and (not e.ordered or sequence = (
            select sequence from webhook_deliveries
            where endpoint_id = e.id and due_at is not null order by sequence limit 1))
          order by due_at, sequence
          limit greatest(0, ${perEndpoint} - (select count(*) from busy b where b.endpoint_id = e.id))
          for update skip locked
        ) d
        where e.active and e.deleted_at is null
      ), leased as (
        update webhook_deliveries w set due_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = w.attempts + 1
        from (select id from waiting where nth <= ${perCustomer} order by due_at limit ${most}) due where w.id = due.id
        returning w.id, w.customer_id, w.endpoint_id, w.sequence, w.event_name, w.facts, w.attempts,
          w.attempts_before, w.created_at
      ), begun as (
        insert into webhook_attempts (delivery_id, attempt, customer_id, started_at)
        select id, attempts, customer_id, ${now} from leased
      )
      select * from leased order by sequence`.execute(tx);
    return rows;
  });
}
