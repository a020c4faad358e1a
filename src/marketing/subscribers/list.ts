import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Page } from '../read-page.ts';
import { chosen, isEverybody, isWholeList, type PeopleChoice } from './choose-people.ts';
import { SUBSCRIBER_COLUMNS, type Subscriber } from './subscriber.ts';
import '../tables.ts';

export type SubscriberOrder = 'created_at' | 'updated_at' | 'email' | 'first_name' | 'last_name';

export interface SubscriberQuery extends Page {
  people: PeopleChoice;
  orderBy: SubscriberOrder;
  order: 'asc' | 'desc';
  /** The last person of the page before; only where they are in the order they came. */
  after: string | null;
}

// Ids are time-ordered, so people in the order of their ids are in the order they came.
const SORTS: Record<SubscriberOrder, RawBuilder<unknown>> = {
  created_at: sql`s.id`,
  updated_at: sql`s.updated_at`,
  email: sql`lower(s.email)`,
  first_name: sql`lower(s.first_name)`,
  last_name: sql`lower(s.last_name)`,
};

/** Who has no such name comes last. Addresses are as their index has them: going by it backwards begins with none. */
const NAMELESS: Partial<Record<SubscriberOrder, RawBuilder<unknown>>> = {
  first_name: sql`nulls last`,
  last_name: sql`nulls last`,
};

/** One page of people. */
export async function listSubscribers(tx: Tx, query: SubscriberQuery): Promise<Subscriber[]> {
  const { people, orderBy, page, items, after } = query;
  const order = sql.raw(query.order);
  const beyond = after === null ? sql`` : sql`and s.id ${sql.raw(query.order === 'asc' ? '>' : '<')} ${after}::uuid`;
  const columns = sql.join(SUBSCRIBER_COLUMNS.map((column) => sql.ref(`s.${column}`)));
  const { rows } = await sql<Subscriber>`
    select ${columns} from subscribers s where ${chosen(people)} ${beyond}
    order by ${SORTS[orderBy]} ${order} ${NAMELESS[orderBy] ?? sql``}, s.id ${order}
    limit ${items} offset ${after === null ? (page - 1) * items : 0}`.execute(tx);
  return rows;
}

/** How many people a choice is: from the counters where there is one, else counted. */
export async function countSubscribers(tx: Tx, people: PeopleChoice): Promise<number> {
  const { customerId, listId } = people;
  let counting = sql<{ total: number }>`select count(*) as total from subscribers s where ${chosen(people)}`;
  if (isEverybody(people)) {
    counting = sql`select coalesce(sum(people), 0)::bigint as total from people_counts where customer_id = ${customerId}`;
  } else if (isWholeList(people)) {
    counting = sql`select coalesce(sum(active), 0)::bigint as total from list_counts
      where customer_id = ${customerId} and subscription_list_id = ${listId}`;
  }
  const { rows } = await counting.execute(tx);
  return rows[0]?.total ?? 0;
}

/** How many people get what a list sends; without a list, how many have not opted out. */
export async function countSubscribed(tx: Tx, customerId: number, listId: number | null): Promise<number> {
  const counting =
    listId === null
      ? sql<{ total: number }>`select coalesce(sum(people - opted_out), 0)::bigint as total
          from people_counts where customer_id = ${customerId}`
      : sql<{ total: number }>`select coalesce(sum(active), 0)::bigint as total
          from list_counts where customer_id = ${customerId} and subscription_list_id = ${listId}`;
  const { rows } = await counting.execute(tx);
  return rows[0]?.total ?? 0;
}
