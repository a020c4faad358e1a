import { type RawBuilder, sql } from 'kysely';
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
  /** What the subject has to hold; null where anything will do. */
  fits: ((subject: string) => boolean) | null;
  templateType: TemplateType | null;
  orderBy: (typeof MAILING_ORDERS)[number];
  order: 'asc' | 'desc';
  /** All of them where it is null. */
  page: Page | null;
}

const COUNTS = {
  sent: sql`c.sent + c.delivered + c.soft_bounced + c.hard_bounced`,
  delivered: sql`c.delivered`,
  viewed: sql`c.opened`,
  clicked: sql`c.clicked`,
  bounced: sql`c.soft_bounced + c.hard_bounced`,
  unsubscribed: sql`c.unsubscribed + c.opted_out`,
};

/** The mailings of a customer that fit, and how many there are in all. Of those on other pages no more is read than it takes to know. */
export async function listMailings(
  tx: Tx,
  customerId: number,
  query: MailingQuery,
): Promise<{ mailings: ListedMailing[]; total: number }> {
  const { ids, total } = await (query.fits === null
    ? findPage(tx, customerId, query)
    : findFitting(tx, customerId, query));
  const mailings = ids.length === 0 ? [] : await readListed(tx, customerId, ids);
  return { mailings, total };
}

interface Found {
  ids: number[];
  total: number;
}

async function findPage(tx: Tx, customerId: number, query: MailingQuery): Promise<Found> {
  const { page } = query;
  const limit = page === null ? sql`` : sql`limit ${page.items} offset ${(page.page - 1) * page.items}`;
  const { rows } = await sql<{ id: number }>`
    select m.id ${inOrder(customerId, query)} ${limit}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (page === null) return { ids, total: ids.length };
  const counted = await sql<{ total: number }>`
    select count(*) as total from campaign_mailings m where ${wanted(customerId, query)}`.execute(tx);
  return { ids, total: counted.rows[0]?.total ?? 0 };
}

/** Subjects are looked at one by one, since PostgreSQL has no regular expressions that end in time. */
async function findFitting(tx: Tx, customerId: number, query: MailingQuery): Promise<Found> {
  const { fits, page } = query;
  const { rows } = await sql<{ id: number; subject: string }>`
    select m.id, m.subject ${inOrder(customerId, query)}`.execute(tx);
  const ids = rows.filter(({ subject }) => fits?.(subject) ?? true).map(({ id }) => id);
  const shown = page === null ? ids : ids.slice((page.page - 1) * page.items, page.page * page.items);
  return { ids: shown, total: ids.length };
}

function inOrder(customerId: number, query: MailingQuery): RawBuilder<unknown> {
  const { orderBy } = query;
  const order = sql.raw(query.order);
  const chosen = sql`where ${wanted(customerId, query)}`;
  if (!isCount(orderBy))
    return sql`from campaign_mailings m ${chosen} order by m.${sql.ref(orderBy)} ${order}, m.id ${order}`;
  return sql`from campaign_mailings m left join (
      select s.mailing_id, sum(${COUNTS[orderBy]}) as counted ${sendsOf(customerId)} group by s.mailing_id
    ) n on n.mailing_id = m.id ${chosen} order by coalesce(n.counted, 0) ${order}, m.id ${order}`;
}

function isCount(orderBy: MailingQuery['orderBy']): orderBy is keyof typeof COUNTS {
  return orderBy in COUNTS;
}

function wanted(customerId: number, { templateType }: MailingQuery): RawBuilder<unknown> {
  const ofType = templateType === null ? sql`` : sql`and m.template_type = ${templateType}`;
  return sql`m.customer_id = ${customerId} and m.deleted_at is null ${ofType}`;
}

function sendsOf(customerId: number): RawBuilder<unknown> {
  return sql`from campaign_mailing_sends s join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id
    where s.customer_id = ${customerId}`;
}

/** Mailings with what became of them, in the order of their ids as they are given. */
async function readListed(tx: Tx, customerId: number, ids: number[]): Promise<ListedMailing[]> {
  const counts = Object.entries(COUNTS).map(([name, count]) => sql`sum(${count})::bigint as ${sql.ref(name)}`);
  const counted = Object.keys(COUNTS).map((name) => sql`coalesce(n.${sql.ref(name)}, 0) as ${sql.ref(name)}`);
  const ofThem = sql`s.mailing_id = any(${ids}::bigint[])`;
  const { rows } = await sql<ListedMailing>`
    select m.id, m.subject, v.default_subject, v.from_address, m.template_type, m.created_at, m.updated_at,
      ${sql.join(counted)}, l.latest as latest_send
    from unnest(${ids}::bigint[]) with ordinality wanted (id, place)
    join campaign_mailings m on m.customer_id = ${customerId} and m.id = wanted.id
    join mailing_versions v on v.customer_id = m.customer_id and v.mailing_id = m.id and v.version = m.version
    left join (
      select s.mailing_id, ${sql.join(counts)} ${sendsOf(customerId)} and ${ofThem} group by s.mailing_id
    ) n on n.mailing_id = m.id
    left join (
      select distinct on (s.mailing_id) s.mailing_id,
        jsonb_build_object('id', s.id::text, 'state', s.state, 'send_at', s.send_at) as latest
      from campaign_mailing_sends s where s.customer_id = ${customerId} and s.drip_id is null and ${ofThem}
      order by s.mailing_id, s.id desc
    ) l on l.mailing_id = m.id
    order by wanted.place`.execute(tx);
  return rows;
}
