import { sql } from 'kysely';

/** What has become of mails. `viewed` and `clicked` count people; whatever opens mails by itself is counted apart. */
export const COUNT_NAMES = [
  'sent',
  'delivered',
  'viewed',
  'machine_viewed',
  'clicked',
  'bounced',
  'soft_bounced',
  'hard_bounced',
  'unsubscribed',
  'global_unsubscribed',
  'suppressed',
  'excluded',
  'uncertain',
] as const;

/** What is still to go, which is known of this moment only. */
export const OPEN_NAMES = ['queued', 'deferred'] as const;

export type Counts = Record<(typeof COUNT_NAMES)[number], number>;
export type SendCounts = Counts & Record<(typeof OPEN_NAMES)[number], number>;

/** The counts of each send, `s`, as they are kept; only what waits for another attempt has to be counted. */
export const SEND_COUNTS = sql`c.sent + c.delivered + c.soft_bounced + c.hard_bounced as sent, c.delivered,
  c.opened as viewed, c.machine_opened as machine_viewed, c.clicked, c.soft_bounced + c.hard_bounced as bounced,
  c.soft_bounced, c.hard_bounced, c.unsubscribed, c.opted_out as global_unsubscribed, c.suppressed, c.excluded,
  c.uncertain, c.people - c.sent - c.delivered - c.soft_bounced - c.hard_bounced - c.suppressed - c.excluded
    - c.uncertain - c.cancelled - o.deferred as queued, o.deferred`;

/** Where those stand. */
export const SENDS_WITH_COUNTS = sql`campaign_mailing_sends s
  join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id
  cross join lateral (select count(*) as deferred from mailing_recipients r
    where r.customer_id = s.customer_id and r.send_id = s.id and r.due_at is not null and r.state = 'deferred'
      and s.state <> 'finished') o`;
