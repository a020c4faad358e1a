import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Page } from '../read-page.ts';
import type { TemplateType } from './mailing.ts';
import '../tables.ts';

/** A mailing as lists show it, with what became of its sends. */
export interface ListedMailing {
  id: number;
  subject: string;
  default_subject: string | null;
  from_address: string | null;
  template_type: TemplateType;
  created_at: Date;
  updated_at: Date;
  sent: number;
  delivered: number;
  viewed: number;
  clicked: number;
  bounced: number;
  unsubscribed: number;
  /** The last time that somebody sent it; what drips send of it is told there. */
  latest_send: LatestSend | null;
}

export interface LatestSend {
  id: string;
  state: string;
  /** As JSON writes it. */
  send_at: string;
}

export const MAILING_ORDERS = [
  'created_at',
  'updated_at',
  'subject',
  'sent',
  'delivered',
  'viewed',
  'clicked',
  'bounced',
  'unsubscribed',
] as const;

export interface MailingQuery {
  /** What the subject has to hold. */
  fits: (subject: string) => boolean;
  templateType: TemplateType | null;
  orderBy: (typeof MAILING_ORDERS)[number];
  order: 'asc' | 'desc';
  /** All of them where it is null. */
  page: Page | null;
}

/** The mailings of a customer that fit, and how many there are in all. */
export async function listMailings(
  tx: Tx,
  customerId: number,
  { fits, templateType, orderBy, order, page }: MailingQuery,
): Promise<{ mailings: ListedMailing[]; total: number }> {
  const { rows } = await sql<ListedMailing>`
    select m.id, m.subject, v.default_subject, v.from_address, m.template_type, m.created_at, m.updated_at,
      coalesce(n.sent, 0) as sent, coalesce(n.delivered, 0) as delivered, coalesce(n.viewed, 0) as viewed,
      coalesce(n.clicked, 0) as clicked, coalesce(n.bounced, 0) as bounced, coalesce(n.unsubscribed, 0) as unsubscribed,
      l.latest as latest_send
    from campaign_mailings m
    join mailing_versions v on v.customer_id = m.customer_id and v.mailing_id = m.id and v.version = m.version
    left join (
      select s.mailing_id, sum(c.sent + c.delivered + c.soft_bounced + c.hard_bounced)::bigint as sent,
        sum(c.delivered)::bigint as delivered, sum(c.opened)::bigint as viewed, sum(c.clicked)::bigint as clicked,
        sum(c.soft_bounced + c.hard_bounced)::bigint as bounced,
        sum(c.unsubscribed + c.opted_out)::bigint as unsubscribed
      from campaign_mailing_sends s join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id
      where s.customer_id = ${customerId} group by s.mailing_id) n on n.mailing_id = m.id
    left join (
      select distinct on (mailing_id) mailing_id,
        jsonb_build_object('id', id::text, 'state', state, 'send_at', send_at) as latest
      from campaign_mailing_sends where customer_id = ${customerId} and drip_id is null
      order by mailing_id, id desc) l on l.mailing_id = m.id
    where m.customer_id = ${customerId} and m.deleted_at is null
      and (${templateType}::text is null or m.template_type = ${templateType})
    order by ${sql.ref(orderBy)} ${sql.raw(order)}, m.id ${sql.raw(order)}`.execute(tx);
  const found = rows.filter(({ subject }) => fits(subject));
  const mailings = page === null ? found : found.slice((page.page - 1) * page.items, page.page * page.items);
  return { mailings, total: found.length };
}
