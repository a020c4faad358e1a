import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Page } from '../../read-page.ts';
import type { Send } from './send.ts';
import '../../tables.ts';

/** A send with what has become of it so far. */
export interface ListedSend
  extends Pick<
    Send,
    | 'id'
    | 'jid'
    | 'mailing_id'
    | 'version'
    | 'state'
    | 'subscription_list_id'
    | 'segment_id'
    | 'sender_email'
    | 'from_name'
    | 'subject'
    | 'send_at'
    | 'started_at'
    | 'finished_at'
    | 'created_at'
  > {
  people: number;
  sent: number;
  delivered: number;
  soft_bounced: number;
  hard_bounced: number;
  suppressed: number;
  excluded: number;
  uncertain: number;
  cancelled: number;
  viewed: number;
  clicked: number;
  unsubscribed: number;
  global_unsubscribed: number;
}

const COUNTS = sql`c.people, c.sent, c.delivered, c.soft_bounced, c.hard_bounced, c.suppressed, c.excluded, c.uncertain,
  c.cancelled, c.opened as viewed, c.clicked, c.unsubscribed, c.opted_out as global_unsubscribed`;

/** The sends of a customer, newest first, of one mailing or of all, and how many there are. */
export async function listSends(
  tx: Tx,
  customerId: number,
  { mailingId, sendId, page }: { mailingId: number | null; sendId: number | null; page: Page },
): Promise<{ sends: ListedSend[]; total: number }> {
  const fits = sql`s.customer_id = ${customerId} and (${mailingId}::bigint is null or s.mailing_id = ${mailingId})
    and (${sendId}::bigint is null or s.id = ${sendId})`;
  const { rows: sends } = await sql<ListedSend>`
    select s.id, s.jid, s.mailing_id, s.version, s.state, s.subscription_list_id, s.segment_id, s.sender_email,
      s.from_name, s.subject, s.send_at, s.started_at, s.finished_at, s.created_at, ${COUNTS}
    from campaign_mailing_sends s join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id
    where ${fits} order by s.id desc limit ${page.items} offset ${(page.page - 1) * page.items}`.execute(tx);
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from campaign_mailing_sends s where ${fits}`.execute(tx);
  return { sends, total: rows[0]?.total ?? 0 };
}
