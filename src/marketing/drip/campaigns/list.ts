import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { toWireTime } from '../../../platform/db/json-moment.ts';
import type { Drip, DripState, StartTrigger } from './drip.ts';
import '../tables.ts';

/** How many people ever entered a drip, and how many of them came to the end. */
interface People {
  subscriber_count: number;
  subscriber_completed_count: number;
}

/** What a drip says of itself. */
interface OwnDrip extends Pick<Drip, 'id' | 'name' | 'subscription_list_id' | 'state' | 'start_trigger'> {
  /** '' where the list has been deleted. */
  subscription_list_name: string;
  updated_at: string;
}

/** A drip as lists show it. */
export type ListedDrip = OwnDrip & People;

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

export interface DripQuery {
  /** What the name has to hold; null where anything will do. */
  fits: ((name: string) => boolean) | null;
  orderBy: (typeof DRIP_ORDERS)[number];
  order: 'asc' | 'desc';
}

/** Above this, counting the people of all drips is quicker than naming those that are wanted. */
const MOST_BY_ID = 500;
const NOBODY: People = { subscriber_count: 0, subscriber_completed_count: 0 };

/** The drips of a customer that fit, one at a time: thousands that are held until the last is read cost as much again. */
export async function listDrips(
  tx: Tx,
  customerId: number,
  { fits, orderBy, order }: DripQuery,
): Promise<Iterable<ListedDrip>> {
  const columns = await readOwn(
    tx,
    sql`${selectOwn(customerId)} order by ${columnOf(orderBy)} ${sql.raw(order)}, d.id ${sql.raw(order)}`,
  );
  const rows = [...columns.id.keys()].filter((row) => fits === null || fits(columns.name[row] as string));
  const ids = rows.map((row) => columns.id[row] as number);
  const people = await countPeople(tx, customerId, ids.length <= MOST_BY_ID ? ids : null);
  const peopleOf = (row: number) => people.get(columns.id[row] as number) ?? NOBODY;
  if (isCount(orderBy)) {
    const sign = order === 'asc' ? 1 : -1;
    rows.sort((one, other) => sign * (peopleOf(one)[orderBy] - peopleOf(other)[orderBy]));
  }
  return listedAt(rows, columns, peopleOf);
}

/** One drip as lists show it. */
export async function readListed(tx: Tx, customerId: number, id: number): Promise<ListedDrip> {
  const columns = await readOwn(tx, sql`${selectOwn(customerId)} and d.id = ${id}`);
  const people = await countPeople(tx, customerId, [id]);
  return dripAt(columns, 0, people.get(id) ?? NOBODY);
}

function isCount(orderBy: DripQuery['orderBy']): orderBy is keyof People {
  return orderBy in NOBODY;
}

/** What the database orders by; where that is a count, the ids decide between equal ones. */
function columnOf(orderBy: DripQuery['orderBy']): RawBuilder<unknown> {
  if (isCount(orderBy)) return sql`d.id`;
  return orderBy === 'created_at' ? sql`d.created_at` : sql.ref(orderBy);
}

function selectOwn(customerId: number): RawBuilder<OwnDrip> {
  return sql`
    select d.id, d.name, d.subscription_list_id, coalesce(l.name, '') as subscription_list_name, d.state, d.updated_at,
      d.start_trigger
    from drip_campaigns d
    left join subscription_lists l on l.customer_id = d.customer_id and l.id = d.subscription_list_id
    where d.customer_id = ${customerId} and d.deleted_at is null`;
}

/** Drips column by column: thousands of them come over in half the time that as many rows take. */
type Columns = { [Column in keyof OwnDrip]: OwnDrip[Column][] };

async function readOwn(tx: Tx, drips: RawBuilder<OwnDrip>): Promise<Columns> {
  const { rows } = await sql<Columns>`
    select ${arraysOf('id', 'name', 'subscription_list_id', 'subscription_list_name', 'state', 'updated_at', 'start_trigger')}
    from (${drips}) drips`.execute(tx);
  return rows[0] as Columns;
}

/** The people of some drips, or of all where none are named, as far as there are any. */
async function countPeople(tx: Tx, customerId: number, ids: readonly number[] | null): Promise<Map<number, People>> {
  const { rows } = await sql<{ id: number[]; entered: number[]; completed: number[] }>`
    select ${arraysOf('id', 'entered', 'completed')}
    from (
      select drip_id as id, sum(people) as entered, sum(completed) as completed from drip_counts
      where customer_id = ${customerId} ${ids === null ? sql`` : sql`and drip_id = any(${ids}::bigint[])`}
      group by drip_id) counts`.execute(tx);
  const { id = [], entered = [], completed = [] } = rows[0] ?? {};
  return new Map(
    id.map((each, row) => [
      each,
      { subscriber_count: entered[row] as number, subscriber_completed_count: completed[row] as number },
    ]),
  );
}

function arraysOf(...columns: string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`coalesce(json_agg(${sql.ref(column)}), '[]') as ${sql.ref(column)}`));
}

function* listedAt(rows: number[], columns: Columns, peopleOf: (row: number) => People): Iterable<ListedDrip> {
  for (const row of rows) yield dripAt(columns, row, peopleOf(row));
}

function dripAt(columns: Columns, row: number, people: People): ListedDrip {
  return {
    id: columns.id[row] as number,
    name: columns.name[row] as string,
    subscription_list_id: columns.subscription_list_id[row] as number,
    subscription_list_name: columns.subscription_list_name[row] as string,
    state: columns.state[row] as DripState,
    updated_at: toWireTime(columns.updated_at[row] as string),
    start_trigger: columns.start_trigger[row] as StartTrigger,
    subscriber_count: people.subscriber_count,
    subscriber_completed_count: people.subscriber_completed_count,
  };
}
