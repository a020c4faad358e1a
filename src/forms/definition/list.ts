import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { type Form, selectForms } from './form.ts';
import type { FormOrder, FormQuery } from './read-form-query.ts';
import '../tables.ts';

const SORT_COLUMNS: Record<FormOrder, RawBuilder<unknown>> = {
  created_at: sql`f.created_at`,
  title: sql`f.title`,
  updated_at: sql`f.updated_at`,
  submission_count: sql`c.submission_count`,
};

/** Up to so many forms that fit a search are found first and sorted then; more are met soon enough on the way. */
const MOST_SORTED = 2_000;

/** The forms that fit a search, where they are few. */
type Few = string[] | null;

/** One page of a customer's forms and how many there are in all; deleted ones are left out. */
export async function listForms(tx: Tx, query: FormQuery): Promise<{ forms: Form[]; total: number }> {
  const few = query.search === null ? null : await findFew(tx, query.customerId, patternOf(query.search));
  const total = await countForms(tx, query, few);
  const ids = total === 0 ? [] : await pageOfIds(tx, query, few);
  const forms = ids.length === 0 ? [] : await selectForms(tx, query.customerId, ids).execute();
  const byId = new Map(forms.map((form) => [form.id, form]));
  return { forms: ids.flatMap((id) => byId.get(id) ?? []), total };
}

async function findFew(tx: Tx, customerId: number, pattern: string): Promise<Few> {
  const { rows } = await sql<{ id: string }>`
    select search_forms(${customerId}, ${pattern}, ${MOST_SORTED + 1}) as id`.execute(tx);
  return rows.length > MOST_SORTED ? null : rows.map(({ id }) => id);
}

/** Only the ids are sorted and skipped over: the rows are wide. */
async function pageOfIds(tx: Tx, query: FormQuery, few: Few): Promise<string[]> {
  const order = sql.raw(query.order);
  const id = query.orderBy === 'submission_count' ? sql`c.form_id` : sql`f.id`;
  const { rows } = await sql<{ id: string }>`
    select ${id} as id from ${formsInOrder(query, few)} where ${conditions(query, few)}
    order by ${SORT_COLUMNS[query.orderBy]} ${order}, ${id} ${order}
    limit ${query.items} offset ${(query.page - 1) * query.items}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Goes along the index of the order and looks at each form on its way; the limits keep it from doing otherwise. */
function formsInOrder({ customerId, orderBy, search }: FormQuery, few: Few): RawBuilder<unknown> {
  const fitting =
    search === null || few !== null
      ? sql``
      : sql`cross join lateral (select from form_texts t where t.customer_id = f.customer_id and t.form_id = f.id
          and t.text like lower(${patternOf(search)}) limit 1) fitting`;
  if (orderBy !== 'submission_count') return sql`forms f ${fitting}`;
  if (few !== null) return sql`forms f join form_counts c on c.customer_id = f.customer_id and c.form_id = f.id`;
  return sql`(select * from form_counts where customer_id = ${customerId}) c cross join lateral
    (select * from forms where customer_id = c.customer_id and id = c.form_id limit 1) f ${fitting}`;
}

/** Counts from what is kept or found already where that is possible; else those that fit. */
async function countForms(tx: Tx, query: FormQuery, few: Few): Promise<number> {
  const { customerId, formId, search } = query;
  const isFiltered = query.active !== null || query.archived !== null;
  let counting = sql<{ total: number }>`
    select count(*) as total from ${formsInOrder({ ...query, orderBy: 'created_at' }, few)}
    where ${conditions(query, few)}`;
  if (formId === null && search === null) {
    counting = sql`select coalesce(sum(f.forms), 0)::bigint as total from form_tallies f
      where f.customer_id = ${customerId} ${flagged(query)}`;
  } else if (formId === null && !isFiltered) {
    if (few !== null) return few.length;
    counting = sql`select count_found_forms(${customerId}, ${patternOf(search ?? '')}) as total`;
  }
  const { rows } = await counting.execute(tx);
  return rows[0]?.total ?? 0;
}

function conditions(query: FormQuery, few: Few): RawBuilder<unknown> {
  const one = query.formId === null ? sql`` : sql`and f.id = ${query.formId}`;
  const among = few === null ? sql`` : sql`and f.id = any(${few}::uuid[])`;
  return sql`f.customer_id = ${query.customerId} and not f.deleted ${one} ${among} ${flagged(query)}`;
}

function patternOf(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
}

function flagged({ active, archived }: FormQuery): RawBuilder<unknown> {
  const wanted = [
    ...(active === null ? [] : [sql`and f.active = ${active}`]),
    ...(archived === null ? [] : [sql`and f.archived = ${archived}`]),
  ];
  return wanted.length === 0 ? sql`` : sql.join(wanted, sql` `);
}
