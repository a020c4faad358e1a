import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** What became of the mailings to somebody. */
export interface SubscriberStatistics {
  deliveries: number;
  delivered: number;
  opened: number;
  clicked: number;
  soft_bounced: number;
  hard_bounced: number;
  unsubscribed: number;
  global_unsubscribed: number;
}

const NONE: SubscriberStatistics = {
  deliveries: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  soft_bounced: 0,
  hard_bounced: 0,
  unsubscribed: 0,
  global_unsubscribed: 0,
};

/** The statistics of each of these people. */
export async function readStatistics(
  tx: Tx,
  customerId: number,
  ids: readonly string[],
): Promise<(id: string) => SubscriberStatistics> {
  const { rows } = await sql<SubscriberStatistics & { subscriber_id: string }>`
    select r.subscriber_id, count(*) as deliveries,
      count(*) filter (where r.state = 'delivered') as delivered,
      count(*) filter (where r.rule = 'soft_bounce') as soft_bounced,
      count(*) filter (where r.rule = 'hard_bounce') as hard_bounced,
      count(e.first_opened_at) as opened, count(e.first_clicked_at) as clicked,
      count(e.unsubscribed_at) filter (where not e.opted_out) as unsubscribed,
      count(e.unsubscribed_at) filter (where e.opted_out) as global_unsubscribed
    from mailing_recipients r left join mailing_engagement e on e.id = r.id and e.customer_id = r.customer_id
    where r.customer_id = ${customerId} and r.subscriber_id = any(${ids}::uuid[])
      and r.state not in ('excluded', 'suppressed', 'cancelled')
    group by r.subscriber_id`.execute(tx);
  const byId = new Map(rows.map(({ subscriber_id: id, ...statistics }) => [id, statistics]));
  return (id) => byId.get(id) ?? NONE;
}
