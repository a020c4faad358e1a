import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { missingField } from '../../platform/errors.ts';
import type { ListOrder } from '../list-order.ts';
import type { Page } from '../read-page.ts';
import '../tables.ts';

/** A list with what is known of it. */
export interface SubscriptionList {
  id: number;
  name: string;
  is_default: boolean;
  double_opt_in: boolean;
  consent_text: string | null;
  subscriber_count: number;
  /** The form that feeds it. */
  form_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface ListQuery {
  search: string | null;
  orderBy: ListOrder;
  order: 'asc' | 'desc';
  /** All of them where it is null. */
  page: Page | null;
}

const SORTS: Record<ListOrder, RawBuilder<unknown>> = {
  created_at: sql`l.created_at`,
  updated_at: sql`l.updated_at`,
  name: sql`lower(l.name)`,
  subscriber_count: sql`subscriber_count`,
};

/** The lists of a customer that fit, and how many there are in all. */
export async function listLists(
  tx: Tx,
  customerId: number,
  { search, orderBy, order, page }: ListQuery,
): Promise<{ lists: SubscriptionList[]; total: number }> {
  const fits = search === null ? sql`true` : sql`position(lower(${search}) in lower(l.name)) > 0`;
  const limit = page === null ? sql`` : sql`limit ${page.items} offset ${(page.page - 1) * page.items}`;
  const direction = sql.raw(order);
  const { rows: lists } = await sql<SubscriptionList>`
    ${selectLists(customerId)} and ${fits} order by ${SORTS[orderBy]} ${direction}, l.id ${direction} ${limit}`.execute(
    tx,
  );
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from subscription_lists l where l.customer_id = ${customerId} and ${fits}`.execute(tx);
  return { lists, total: rows[0]?.total ?? 0 };
}

/** One list of a customer; throws where it was deleted since it was found. */
export async function readList(tx: Tx, customerId: number, id: number): Promise<SubscriptionList> {
  const { rows } = await sql<SubscriptionList>`${selectLists(customerId)} and l.id = ${id}`.execute(tx);
  return rows[0] ?? refuseGone();
}

/** Lets nobody else change a list until the transaction ends, and answers when it was changed last; throws where it is gone. */
export async function lockList(tx: Tx, customerId: number, id: number): Promise<Date> {
  const found = await tx
    .selectFrom('subscription_lists')
    .select('updated_at')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found?.updated_at ?? refuseGone();
}

function refuseGone(): never {
  throw missingField('id', 'no such list');
}

function selectLists(customerId: number): RawBuilder<SubscriptionList> {
  return sql`select l.id, l.name, l.is_default, l.double_opt_in, t.text as consent_text, l.created_at, l.updated_at,
      (select coalesce(sum(n.active), 0)::bigint from list_counts n
        where n.customer_id = l.customer_id and n.subscription_list_id = l.id) as subscriber_count,
      (select f.id from forms f where f.customer_id = l.customer_id and f.subscription_list_id = l.id and not f.deleted
        order by f.created_at limit 1) as form_id
    from subscription_lists l
    left join consent_texts t on t.customer_id = l.customer_id and t.id = l.consent_text_id
    where l.customer_id = ${customerId}`;
}
