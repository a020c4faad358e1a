import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { preparedAs } from '../../platform/db/prepared.ts';
import '../tables.ts';

/** Something that happened, for whoever wants to hear of it: ids and a time, nothing that is sealed. */
export interface News {
  customerId: number;
  name: string;
  facts: Record<string, string | number>;
}

/** Queues news for every active endpoint that asked for it, in the transaction of the facts. */
export async function enqueueDeliveries(tx: Tx, clock: Clock, news: News[]): Promise<void> {
  const rows = JSON.stringify(newsRows(news));
  await sql`${preparedAs('enqueue-webhooks')} select enqueue_deliveries(${rows}::json, ${clock.now()})`.execute(tx);
}

/** News as enqueue_deliveries() takes it, for whoever calls it from a function of its own. */
export function newsRows(news: News[]): object[] {
  return news.map(({ customerId, name, facts }, position) => ({ position, customer_id: customerId, name, facts }));
}
