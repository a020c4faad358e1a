import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { hashSecret } from '../../platform/secret.ts';
import '../tables.ts';

/** A message that waits for one of its recipients. */
export interface Pickup {
  id: string;
  customerId: number;
  messageId: string;
  ordinal: number;
  fromAddress: string;
  mode: 'live' | 'test';
  expiresAt: Date;
}

/** What a link leads to. Unknown, expired, cancelled, bounced and swept are all the same to whoever asks: null. */
export async function findPickup({ db, clock }: { db: Database; clock: Clock }, token: string): Promise<Pickup | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  const { rows } = await db.untenanted((tx) =>
    sql<{ id: string; customer_id: number }>`select id, customer_id from find_pickup(${hash})`.execute(tx),
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { id, customer_id: customerId } = found;
  const row = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('pickups as p')
      .innerJoin('messages as m', (join) =>
        join.onRef('m.id', '=', 'p.message_id').onRef('m.customer_id', '=', 'p.customer_id'),
      )
      .innerJoin('message_contents as c', (join) =>
        join.onRef('c.id', '=', 'm.content_id').onRef('c.customer_id', '=', 'm.customer_id'),
      )
      .innerJoin('message_recipients as r', (join) =>
        join
          .onRef('r.message_id', '=', 'p.message_id')
          .onRef('r.ordinal', '=', 'p.ordinal')
          .onRef('r.customer_id', '=', 'p.customer_id'),
      )
      .select(['p.message_id', 'p.ordinal', 'p.expires_at', 'm.from_address', 'm.mode'])
      .where('p.customer_id', '=', customerId)
      .where('p.id', '=', id)
      .where('p.expires_at', '>', clock.now())
      .where('r.state', 'in', ['queued', 'noticed', 'delivered'])
      .executeTakeFirst(),
  );
  if (row === undefined) return null;
  return {
    id,
    customerId,
    messageId: row.message_id,
    ordinal: row.ordinal,
    fromAddress: row.from_address,
    mode: row.mode,
    expiresAt: row.expires_at,
  };
}
