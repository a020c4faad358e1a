import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { preparedAs } from '../../platform/db/prepared.ts';
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
  const news = JSON.stringify(rows);
  await sql`${preparedAs('record-events')} select record_events(${news}::json, ${clock.now()})`.execute(tx);
}
