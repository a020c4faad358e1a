import { type RawBuilder, sql } from 'kysely';
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

const COUNTS = sql`c.people, c.sent + c.delivered + c.soft_bounced + c.hard_bounced as sent, c.delivered, c.soft_bounced,
  c.hard_bounced, c.suppressed, c.excluded, c.uncertain, c.cancelled, c.opened as viewed, c.clicked, c.unsubscribed,
  c.opted_out as global_unsubscribed`;

/** One page of the sends, `s`, that are meant, in the order in which they were asked for or the newest first. */
export async function listSends(
  tx: Tx,
  isMeant: RawBuilder<boolean>,
  { page, items, order }: Page & { order: 'asc' | 'desc' },
): Promise<ListedSend[]> {
  const { rows } = await sql<ListedSend>`
    select s.id, s.jid, s.mailing_id, s.version, s.state, s.subscription_list_id, s.segment_id, s.sender_email,
      s.from_name, s.subject, s.send_at, s.started_at, s.finished_at, s.created_at, ${COUNTS}
    from campaign_mailing_sends s join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id
    where ${isMeant} order by s.id ${sql.raw(order)} limit ${items} offset ${(page - 1) * items}`.execute(tx);
  return rows;
}

/** The condition on `s`, a send, that the subject of its mailing holds a text, ignoring case. */
export function ofMailingCalled(text: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from campaign_mailings m where m.customer_id = s.customer_id
    and m.id = s.mailing_id and strpos(lower(m.subject), lower(${text})) > 0)`;
}

/** How many of them there are. */
export async function countSends(tx: Tx, isMeant: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from campaign_mailing_sends s where ${isMeant}`.execute(tx);
  return rows[0]?.total ?? 0;
}
