import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Page } from '../read-page.ts';
import { among, type PeopleFilter } from './people.ts';
import { inScope, type Scope } from './scope.ts';
import '../tables.ts';

/** A row of the ledger: what became of one mail to one person, and what they did with it. */
export interface Delivery {
  id: string;
  send_id: number;
  mailing_id: number;
  subscriber_id: string;
  /** Null where the person was deleted. */
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  state: string;
  rule: string | null;
  smtp_code: number | null;
  attempts: number;
  settled_at: Date | null;
  opened_at: Date | null;
  opens: number;
  machine_opens: number;
  clicked_at: Date | null;
  clicks: number;
  machine_clicks: number;
  unsubscribed_at: Date | null;
}

/** How a row of the ledger can stand. */
export const DELIVERY_STATES = [
  'queued',
  'sending',
  'deferred',
  'sent',
  'delivered',
  'bounced',
  'suppressed',
  'excluded',
  'uncertain',
  'cancelled',
] as const;

export interface DeliveryFilter {
  scope: Scope;
  people: PeopleFilter;
  subscriberId: string | null;
  state: (typeof DELIVERY_STATES)[number] | null;
}

const SORTS = {
  created_at: null,
  email: sql`lower(p.email)`,
  state: sql`r.state`,
  settled_at: sql`r.settled_at`,
  opened_at: sql`e.first_opened_at`,
  clicked_at: sql`e.first_clicked_at`,
};
export type DeliverySort = keyof typeof SORTS;
export const DELIVERY_SORTS = Object.keys(SORTS) as [DeliverySort, ...DeliverySort[]];

export interface DeliveryOrder {
  orderBy: DeliverySort;
  order: 'asc' | 'desc';
}

/** One page of the ledger. */
export async function listDeliveries(
  tx: Tx,
  filter: DeliveryFilter,
  { orderBy, order, page, items }: DeliveryOrder & Page,
): Promise<Delivery[]> {
  const sort = SORTS[orderBy];
  const part = sql`limit ${items} offset ${(page - 1) * items}`;
  const chosen = sql`select r.* from mailing_recipients r where ${fits(filter)}`;
  const { rows } = await (sort === null
    ? rowsOf(sql`(${chosen} ${asTheyCame(order)} ${part})`, asTheyCame(order))
    : rowsOf(sql`(${chosen})`, sql`order by ${sort} ${sql.raw(order)} nulls last, r.send_id, r.subscriber_id ${part}`)
  ).execute(tx);
  return rows;
}

/** The rows that come before one, newest send first; the newest of all where none is named. */
export async function deliveriesBefore(
  tx: Tx,
  filter: DeliveryFilter,
  last: Delivery | null,
  items: number,
): Promise<Delivery[]> {
  const beyond =
    last === null ? sql`` : sql`and (r.send_id, r.subscriber_id) < (${last.send_id}, ${last.subscriber_id}::uuid)`;
  const page = sql`(select r.* from mailing_recipients r where ${fits(filter)} ${beyond} ${asTheyCame('desc')}
    limit ${items})`;
  const { rows } = await rowsOf(page, asTheyCame('desc')).execute(tx);
  return rows;
}

/** By send and person, which is how an index has them; both are in the order they came. */
function asTheyCame(order: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql`order by r.send_id ${sql.raw(order)}, r.subscriber_id ${sql.raw(order)}`;
}

/** Rows of the ledger with the people and what they did. A page that is cut out before looks up no others. */
function rowsOf(ledger: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<Delivery> {
  return sql<Delivery>`
    select r.id, r.send_id, r.mailing_id, r.subscriber_id, p.email, p.first_name, p.last_name, r.state, r.rule,
      r.smtp_code, r.attempts, r.settled_at, e.first_opened_at as opened_at, coalesce(e.opens, 0) as opens,
      coalesce(e.machine_opens, 0) as machine_opens, e.first_clicked_at as clicked_at, coalesce(e.clicks, 0) as clicks,
      coalesce(e.machine_clicks, 0) as machine_clicks, e.unsubscribed_at
    from ${ledger} r
    left join subscribers p on p.customer_id = r.customer_id and p.id = r.subscriber_id
    left join mailing_engagement e on e.customer_id = r.customer_id and e.id = r.id
    ${order}`;
}

/** How many rows there are: from the counters of the sends where whole sends are meant, else counted. */
export async function countDeliveries(tx: Tx, filter: DeliveryFilter): Promise<number> {
  const { scope, people, subscriberId, state } = filter;
  const whole = people.email === null && people.search === null && subscriberId === null && state === null;
  const counting = whole
    ? sql<{ total: number }>`select coalesce(sum(c.people), 0)::bigint as total from campaign_mailing_sends s
        join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id where ${inScope(scope)}`
    : sql<{ total: number }>`select count(*) as total from mailing_recipients r where ${fits(filter)}`;
  const { rows } = await counting.execute(tx);
  return rows[0]?.total ?? 0;
}

function fits({ scope, people, subscriberId, state }: DeliveryFilter): RawBuilder<boolean> {
  const conditions = [
    sql<boolean>`r.customer_id = ${scope.customerId}`,
    ...ofSends(scope),
    ...among(people, sql`r.subscriber_id`),
    ...(subscriberId === null ? [] : [sql<boolean>`r.subscriber_id = ${subscriberId}`]),
    ...(state === null ? [] : [sql<boolean>`r.state = ${state}`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function ofSends(scope: Scope): RawBuilder<boolean>[] {
  const { mailingId, dripId, linkId, emailType } = scope;
  if (mailingId === null && dripId === null && linkId === null && emailType === null) {
    return scope.sendId === null ? [] : [sql<boolean>`r.send_id = ${scope.sendId}`];
  }
  return [sql<boolean>`r.send_id = any(array(select s.id from campaign_mailing_sends s where ${inScope(scope)}))`];
}
