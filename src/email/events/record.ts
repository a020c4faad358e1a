import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { preparedAs } from '../../platform/db/prepared.ts';
import { enqueueDeliveries } from '../webhooks/enqueue.ts';
import '../tables.ts';

/** What became of one recipient of a message. */
export interface MessageEvent {
  customerId: number;
  messageId: string;
  ordinal: number;
  name: string;
  at: Date;
  /** Where nobody knows what became of the attempt. */
  uncertain?: boolean;
}

interface RecordedRow {
  customer_id: number;
  message_id: string;
  ordinal: number;
  number: number;
  name: string;
  at: Date;
  uncertain: boolean;
}

/**
 * Writes events in the transaction of the facts themselves, numbers them per customer without gaps, and
 * puts them on their way to the customer's endpoints.
 */
export async function recordEvents(tx: Tx, clock: Clock, events: MessageEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ customerId, messageId, ordinal, name, at, uncertain = false }, position) => ({
    position,
    customer_id: customerId,
    message_id: messageId,
    ordinal,
    name,
    at,
    uncertain,
  }));
  const { rows: recorded } = await sql<RecordedRow>`
    ${preparedAs('record-events')} with news as (
      select *, row_number() over (partition by customer_id order by position) as nth,
        count(*) over (partition by customer_id) as total
      from json_to_recordset(${JSON.stringify(rows)}::json) as n
        (position int, customer_id int, message_id uuid, ordinal smallint, name text, at timestamptz, uncertain boolean)
    ), heads as (
      insert into event_heads (customer_id, last_number)
      select customer_id, count(*) from news group by customer_id order by customer_id
      on conflict (customer_id) do update set last_number = event_heads.last_number + excluded.last_number
      returning customer_id, last_number
    )
    insert into message_events (message_id, number, customer_id, ordinal, name, at, uncertain)
    select n.message_id, h.last_number - n.total + n.nth, n.customer_id, n.ordinal, n.name, n.at, n.uncertain
    from news n join heads h on h.customer_id = n.customer_id order by n.customer_id, n.nth
    returning customer_id, message_id, ordinal, number, name, at, uncertain`.execute(tx);
  await enqueueDeliveries(
    tx,
    clock,
    recorded
      .toSorted((one, other) => one.number - other.number)
      .map((row) => ({
        customerId: row.customer_id,
        name: row.name,
        facts: {
          message: row.message_id,
          recipient: row.ordinal,
          number: row.number,
          at: row.at.toISOString(),
          ...(row.uncertain ? { uncertain: 1 } : {}),
        },
      })),
  );
}
