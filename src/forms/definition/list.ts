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

/** One page of a customer's forms and how many there are in all; deleted ones are left out. */
export async function listForms(tx: Tx, query: FormQuery): Promise<{ forms: Form[]; total: number }> {
  const ids = await pageOfIds(tx, query);
  const found = ids.length === 0 ? [] : await selectForms(tx, query.customerId, ids).execute();
  const byId = new Map(found.map((form) => [form.id, form]));
  return { forms: ids.flatMap((id) => byId.get(id) ?? []), total: await countForms(tx, query) };
}

/** Only the ids are sorted and skipped over: the rows are wide. */
async function pageOfIds(tx: Tx, query: FormQuery): Promise<string[]> {
  const byCount = query.orderBy === 'submission_count';
  const order = sql.raw(query.order);
  const id = byCount ? sql`c.form_id` : sql`f.id`;
  const counts = byCount ? sql`join form_counts c on c.customer_id = f.customer_id and c.form_id = f.id` : sql``;
  // The order needs the count's own customer_id to come from the index.
  const counted = byCount ? sql`and c.customer_id = ${query.customerId}` : sql``;
  const { rows } = await sql<{ id: string }>`
    select ${id} as id from ${matching(query)} ${counts} where ${conditions(query)} ${counted}
    order by ${SORT_COLUMNS[query.orderBy]} ${order}, ${id} ${order}
    limit ${query.items} offset ${(query.page - 1) * query.items}`.execute(tx);
  return rows.map((row) => row.id);
}

async function countForms(tx: Tx, query: FormQuery): Promise<number> {
  const { rows } =
    query.formId === null && query.search === null
      ? await sql<{ total: number }>`
          select coalesce(sum(f.forms), 0)::bigint as total from form_tallies f
          where f.customer_id = ${query.customerId} ${flagged(query)}`.execute(tx)
      : await sql<{ total: number }>`
          select count(*) as total from ${matching(query)} where ${conditions(query)}`.execute(tx);
  return rows[0]?.total ?? 0;
}

function matching({ customerId, search }: FormQuery): RawBuilder<unknown> {
  if (search === null) return sql`forms f`;
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`search_forms(${customerId}, ${pattern}) found join forms f on f.id = found`;
}

function conditions(query: FormQuery): RawBuilder<unknown> {
  const one = query.formId === null ? sql`` : sql`and f.id = ${query.formId}`;
  return sql`f.customer_id = ${query.customerId} and not f.deleted ${one} ${flagged(query)}`;
}

function flagged({ active, archived }: FormQuery): RawBuilder<unknown> {
  const wanted = [
    ...(active === null ? [] : [sql`and f.active = ${active}`]),
    ...(archived === null ? [] : [sql`and f.archived = ${archived}`]),
  ];
  return wanted.length === 0 ? sql`` : sql.join(wanted, sql` `);
}
