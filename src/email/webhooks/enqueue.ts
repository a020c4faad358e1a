import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import '../tables.ts';

/** Something that happened, for whoever wants to hear of it: ids and a time, nothing that is sealed. */
export interface News {
  customerId: number;
  name: string;
  facts: Record<string, string | number>;
}

interface Listener {
  id: number;
  customer_id: number;
  events: string[];
  last_sequence: number;
}

/**
 * Queues news for every active endpoint that asked for it, in the transaction of the facts. The lock on
 * an endpoint is held until commit, so its sequence has no gaps and follows the order of commits.
 */
export async function enqueueDeliveries(tx: Tx, clock: Clock, news: News[]): Promise<void> {
  const customers = [...new Set(news.map(({ customerId }) => customerId))];
  const { rows: listeners } = await sql<Listener>`
    select id, customer_id, events, last_sequence from webhook_endpoints
    where customer_id = any(${customers}::int[]) and active and deleted_at is null order by id for update`.execute(tx);
  const now = clock.now();
  const deliveries = listeners.flatMap((listener) => {
    let sequence = listener.last_sequence;
    const wanted = news.filter(
      (each) => each.customerId === listener.customer_id && listener.events.includes(each.name),
    );
    return wanted.map(({ name, facts }) => ({
      id: timeOrderedId(clock),
      customer_id: listener.customer_id,
      endpoint_id: listener.id,
      sequence: (sequence += 1),
      event_name: name,
      facts: JSON.stringify(facts),
      state: 'pending' as const,
      due_at: now,
      created_at: now,
      settled_at: null,
    }));
  });
  if (deliveries.length === 0) return;
  await sql`
    with queued as (
      insert into webhook_deliveries (id, customer_id, endpoint_id, sequence, event_name, facts, state, due_at, created_at)
      select id, customer_id, endpoint_id, sequence, event_name, facts::jsonb, state, due_at, created_at
      from json_to_recordset(${JSON.stringify(deliveries)}::json) as d (id uuid, customer_id int, endpoint_id int,
        sequence bigint, event_name text, facts text, state text, due_at timestamptz, created_at timestamptz)
      returning endpoint_id, sequence
    )
    update webhook_endpoints e set last_sequence = q.last
    from (select endpoint_id, max(sequence) as last from queued group by endpoint_id) q where e.id = q.endpoint_id`.execute(
    tx,
  );
}
