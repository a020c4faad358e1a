import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { toWireTime } from '../../../platform/db/json-moment.ts';
import type { Drip, DripState, StartTrigger } from './drip.ts';
import '../tables.ts';

/** A drip as lists show it. */
export interface ListedDrip extends Pick<Drip, 'id' | 'name' | 'subscription_list_id' | 'state' | 'start_trigger'> {
  /** '' where the list has been deleted. */
  subscription_list_name: string;
  /** How many ever entered, and how many of them came to the end. */
  subscriber_count: number;
  subscriber_completed_count: number;
  updated_at: string;
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

const COLUMNS = [
  'id',
  'name',
  'subscription_list_id',
  'subscription_list_name',
  'state',
  'updated_at',
  'start_trigger',
  'subscriber_count',
  'subscriber_completed_count',
] as const satisfies (keyof ListedDrip)[];

/** Above this, reading all of them is quicker than naming those that are wanted. */
const MOST_BY_ID = 500;

export interface DripQuery {
  /** What the name has to hold; null where anything will do. */
  fits: ((name: string) => boolean) | null;
  orderBy: (typeof DRIP_ORDERS)[number];
  order: 'asc' | 'desc';
}

/** The drips of a customer that fit, one at a time: thousands that are held until the last is read cost as much again. */
export async function listDrips(
  tx: Tx,
  customerId: number,
  { fits, orderBy, order }: DripQuery,
): Promise<Iterable<ListedDrip>> {
  const fitting = fits === null ? null : await idsOfFitting(tx, customerId, fits);
  const few = fitting !== null && fitting.size <= MOST_BY_ID ? [...fitting] : null;
  const by = orderBy === 'created_at' ? sql`d.created_at` : sql.ref(orderBy);
  const drips = sql<ListedDrip>`
    ${selectListed(customerId, few)} order by ${by} ${sql.raw(order)}, d.id ${sql.raw(order)}`;
  return dripsOf(await readColumns<ListedDrip>(tx, drips, COLUMNS), fitting);
}

/** One drip as lists show it. */
export async function readListed(tx: Tx, customerId: number, id: number): Promise<ListedDrip> {
  return dripAt(await readColumns<ListedDrip>(tx, selectListed(customerId, [id]), COLUMNS), 0);
}

async function idsOfFitting(tx: Tx, customerId: number, fits: (name: string) => boolean): Promise<Set<number>> {
  const named = tx
    .selectFrom('drip_campaigns')
    .select(['id', 'name'])
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null);
  const columns = await readColumns(tx, named, ['id', 'name']);
  return new Set(columns.id.filter((_, row) => fits(columns.name[row] as string)));
}

function selectListed(customerId: number, ids: readonly number[] | null): RawBuilder<ListedDrip> {
  const among = (column: string) => (ids === null ? sql`` : sql`and ${sql.ref(column)} = any(${ids}::bigint[])`);
  return sql`
    select d.id, d.name, d.subscription_list_id, coalesce(l.name, '') as subscription_list_name, d.state, d.updated_at,
      d.start_trigger, coalesce(n.people, 0) as subscriber_count, coalesce(n.completed, 0) as subscriber_completed_count
    from drip_campaigns d
    left join subscription_lists l on l.customer_id = d.customer_id and l.id = d.subscription_list_id
    left join (
      select drip_id, sum(people) as people, sum(completed) as completed from drip_counts
      where customer_id = ${customerId} ${among('drip_id')}
      group by drip_id) n on n.drip_id = d.id
    where d.customer_id = ${customerId} and d.deleted_at is null ${among('d.id')}`;
}

type Columns<Row> = { [Column in keyof Row]: Row[Column][] };

/** Rows column by column: thousands of them come over in half the time that as many rows take. */
async function readColumns<Row>(
  tx: Tx,
  rows: Expression<Row>,
  columns: readonly (keyof Row & string)[],
): Promise<Columns<Row>> {
  const arrays = columns.map((column) => sql`coalesce(json_agg(${sql.ref(column)}), '[]') as ${sql.ref(column)}`);
  const read = await sql<Columns<Row>>`select ${sql.join(arrays)} from (${rows}) as rows`.execute(tx);
  return read.rows[0] as Columns<Row>;
}

function* dripsOf(columns: Columns<ListedDrip>, wanted: Set<number> | null): Iterable<ListedDrip> {
  for (const [row, id] of columns.id.entries()) if (wanted === null || wanted.has(id)) yield dripAt(columns, row);
}

function dripAt(columns: Columns<ListedDrip>, row: number): ListedDrip {
  return {
    id: columns.id[row] as number,
    name: columns.name[row] as string,
    subscription_list_id: columns.subscription_list_id[row] as number,
    subscription_list_name: columns.subscription_list_name[row] as string,
    state: columns.state[row] as DripState,
    updated_at: toWireTime(columns.updated_at[row] as string),
    start_trigger: columns.start_trigger[row] as StartTrigger,
    subscriber_count: columns.subscriber_count[row] as number,
    subscriber_completed_count: columns.subscriber_completed_count[row] as number,
  };
}
