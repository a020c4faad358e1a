import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Page } from '../read-page.ts';
import type { FoundLink } from './find-link.ts';
import { among, type PeopleFilter } from './people.ts';
import '../tables.ts';

/** Somebody who followed a link. */
export interface Clicker {
  subscriber_id: string;
  /** Null where the person was deleted. */
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  clicks: number;
  first_at: Date;
}

const FIRST = sql`c.first_at`;
const SORTS = { first_at: FIRST, clicks: sql`c.clicks`, email: sql`lower(p.email)`, created_at: FIRST };
export type ClickerSort = keyof typeof SORTS;
export const CLICKER_SORTS = Object.keys(SORTS) as [ClickerSort, ...ClickerSort[]];

/** People who followed a link. */
export interface ClickerFilter {
  link: FoundLink;
  people: PeopleFilter;
}

const ROWS = sql`
  select c.subscriber_id, p.email, p.first_name, p.last_name, c.clicks, c.first_at from mailing_link_clicks c
  left join subscribers p on p.customer_id = c.customer_id and p.id = c.subscriber_id`;

/** One page of those who followed a link. */
export async function listClickers(
  tx: Tx,
  filter: ClickerFilter,
  { orderBy, order, page, items }: { orderBy: ClickerSort; order: 'asc' | 'desc' } & Page,
): Promise<Clicker[]> {
  const direction = sql.raw(order);
  const { rows } = await sql<Clicker>`
    ${ROWS} where ${fits(filter)} order by ${SORTS[orderBy]} ${direction} nulls last, c.subscriber_id ${direction}
    limit ${items} offset ${(page - 1) * items}`.execute(tx);
  return rows;
}

/** Those who come before one, the newest people first; the newest of all where none is named. */
export async function clickersBefore(
  tx: Tx,
  filter: ClickerFilter,
  last: Clicker | null,
  items: number,
): Promise<Clicker[]> {
  const beyond = last === null ? sql`` : sql`and c.subscriber_id < ${last.subscriber_id}`;
  const { rows } = await sql<Clicker>`
    ${ROWS} where ${fits(filter)} ${beyond} order by c.subscriber_id desc limit ${items}`.execute(tx);
  return rows;
}

/** How many people followed a link. */
export async function countClickers(tx: Tx, filter: ClickerFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from mailing_link_clicks c where ${fits(filter)}`.execute(tx);
  return rows[0]?.total ?? 0;
}

function fits({ link, people }: ClickerFilter): RawBuilder<boolean> {
  const ofLink = sql<boolean>`c.customer_id = ${people.customerId} and c.send_id = ${link.send_id}
    and c.link = ${link.number}`;
  return sql<boolean>`${sql.join([ofLink, ...among(people, sql`c.subscriber_id`)], sql` and `)}`;
}
