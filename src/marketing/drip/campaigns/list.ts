import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from './drip.ts';
import '../tables.ts';

/** A drip as lists show it. */
export interface ListedDrip
  extends Pick<Drip, 'id' | 'name' | 'subscription_list_id' | 'state' | 'updated_at' | 'start_trigger'> {
  /** '' where the list has been deleted. */
  subscription_list_name: string;
  /** How many ever entered, and how many of them came to the end. */
  subscriber_count: number;
  subscriber_completed_count: number;
}

export const DRIP_ORDERS = [
  'created_at',
  'name',
  'subscription_list_id',
  'subscription_list_name',
  'state',
  'updated_at',
  'start_trigger',
  'subscriber_count',
  'subscriber_completed_count',
] as const;

/** Above this, reading all of them is quicker than naming those that are wanted. */
const MOST_BY_ID = 500;

export interface DripQuery {
  /** What the name has to hold; null where anything will do. */
  fits: ((name: string) => boolean) | null;
  orderBy: (typeof DRIP_ORDERS)[number];
  order: 'asc' | 'desc';
}

/** The drips of a customer that fit. */
export async function listDrips(
  tx: Tx,
  customerId: number,
  { fits, orderBy, order }: DripQuery,
): Promise<ListedDrip[]> {
  const ids = fits === null ? null : await idsOfFitting(tx, customerId, fits);
  if (ids === null || ids.length <= MOST_BY_ID) return selectListed(tx, customerId, ids, { orderBy, order });
  const fitting = new Set(ids);
  return (await selectListed(tx, customerId, null, { orderBy, order })).filter(({ id }) => fitting.has(id));
}

/** One drip as lists show it. */
export async function readListed(tx: Tx, customerId: number, id: number): Promise<ListedDrip> {
  const [found] = await selectListed(tx, customerId, [id], { orderBy: 'created_at', order: 'asc' });
  return found as ListedDrip;
}

async function idsOfFitting(tx: Tx, customerId: number, fits: (name: string) => boolean): Promise<number[]> {
  const rows = await tx
    .selectFrom('drip_campaigns')
    .select(['id', 'name'])
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.filter(({ name }) => fits(name)).map(({ id }) => id);
}

async function selectListed(
  tx: Tx,
  customerId: number,
  ids: readonly number[] | null,
  { orderBy, order }: Pick<DripQuery, 'orderBy' | 'order'>,
): Promise<ListedDrip[]> {
  if (ids?.length === 0) return [];
  const by = orderBy === 'created_at' ? sql`d.created_at` : sql.ref(orderBy);
  const { rows } = await sql<ListedDrip>`
    select d.id, d.name, d.subscription_list_id, coalesce(l.name, '') as subscription_list_name, d.state, d.updated_at,
      d.start_trigger, coalesce(n.people, 0) as subscriber_count, coalesce(n.completed, 0) as subscriber_completed_count
    from drip_campaigns d
    left join subscription_lists l on l.customer_id = d.customer_id and l.id = d.subscription_list_id
    left join (
      select drip_id, sum(people) as people, sum(completed) as completed from drip_counts
      where customer_id = ${customerId} ${ids === null ? sql`` : sql`and drip_id = any(${ids}::bigint[])`}
      group by drip_id) n on n.drip_id = d.id
    where d.customer_id = ${customerId} and d.deleted_at is null
      ${ids === null ? sql`` : sql`and d.id = any(${ids}::bigint[])`}
    order by ${by} ${sql.raw(order)}, d.id ${sql.raw(order)}`.execute(tx);
  return rows;
}
