import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { News } from './news.ts';

/** How long after the last attempt a report counts: servers try for five days (RFC 5321 4.5.4.1), forwarders anew. */
export const REPORTS_COUNT_MS = 14 * 24 * 3600_000;

/** How much a report changes: nothing, what a soft bounce does, or what a hard one does. */
export type Effect = 'none' | News['bounce'];

interface Recipient {
  customerId: number;
  messageId: string;
  ordinal: number;
}

/**
 * How much a report may change. A return path never ends and everybody who got the message knows it, so that a report that
 * comes late changes nothing, nor does one that no server would send like this (RFC 3464 2), or that comes after somebody
 * has read the content at the pickup page.
 */
export async function effectOf(tx: Tx, recipient: Recipient, news: News, at: Date): Promise<Effect> {
  const { customerId, messageId, ordinal } = recipient;
  const { rows } = await sql<{ picked_up: boolean; tried_at: Date }>`
    select r.state = 'delivered' and r.portal as picked_up, coalesce(
        (select max(started_at) from delivery_attempts
          where customer_id = ${customerId} and message_id = ${messageId} and ordinal = ${ordinal}),
        r.settled_at, m.created_at) as tried_at
    from message_recipients r join messages m on m.customer_id = r.customer_id and m.id = r.message_id
    where r.customer_id = ${customerId} and r.message_id = ${messageId} and r.ordinal = ${ordinal}`.execute(tx);
  const [standing] = rows;
  if (standing === undefined || at.getTime() - standing.tried_at.getTime() > REPORTS_COUNT_MS) return 'none';
  const isOfServer = news.kind === 'failed' || news.kind === 'delayed';
  return isOfServer && (standing.picked_up || !news.fromNobody) ? 'none' : news.bounce;
}
