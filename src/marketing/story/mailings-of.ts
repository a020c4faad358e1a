import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** What became of one mail of a mailing to somebody. */
export interface ReceivedMailing {
  mailingId: number;
  sendId: number;
  subject: string;
  state: string;
  /** Why they were left out, or how it bounced. */
  rule: string | null;
  settledAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
  unsubscribedAt: Date | null;
}

/** The latest mails of mailings that were meant for somebody, the newest first. */
export async function mailingsOf(
  tx: Tx,
  { customerId, subscriberId }: { customerId: number; subscriberId: string },
  most: number,
): Promise<ReceivedMailing[]> {
  const { rows } = await sql<ReceivedMailing>`
    select r.mailing_id as "mailingId", r.send_id as "sendId", coalesce(s.subject, m.subject) as subject, r.state, r.rule,
      r.settled_at as "settledAt", e.first_opened_at as "openedAt", e.first_clicked_at as "clickedAt",
      e.unsubscribed_at as "unsubscribedAt"
    from mailing_recipients r
    join campaign_mailings m on m.customer_id = r.customer_id and m.id = r.mailing_id
    join campaign_mailing_sends s on s.customer_id = r.customer_id and s.id = r.send_id
    left join mailing_engagement e on e.id = r.id and e.customer_id = r.customer_id
    where r.customer_id = ${customerId} and r.subscriber_id = ${subscriberId}
    order by r.id desc limit ${most}`.execute(tx);
  return rows;
}
