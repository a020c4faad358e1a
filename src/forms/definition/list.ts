import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { FormQuery } from './read-form-query.ts';
import '../tables.ts';

const COLUMNS = [
  'f.id',
  'f.customer_id',
  'f.title',
  'f.description',
  'f.form_html',
  'f.form_json',
  'f.form_css',
  'f.vanity_url',
  'f.version',
  'f.active',
  'f.old_form_id',
  'f.recipient',
  'f.signable',
  'f.signature_confirmation_label',
  'f.type',
  'f.subscription_list_id',
  'f.deleted',
  'f.archived',
  'f.created_at',
  'f.updated_at',
  'c.submission_count',
] as const;

const SORT_COLUMNS = {
  created_at: 'f.created_at',
  title: 'f.title',
  updated_at: 'f.updated_at',
  submission_count: 'c.submission_count',
} as const;

/** One page of a customer's forms and how many there are in all; deleted ones are left out. */
export async function listForms(tx: Tx, query: FormQuery) {
  const matching = matchingForms(tx, query);
  const { total } = await matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const forms = await matching
    .select(COLUMNS)
    .orderBy(SORT_COLUMNS[query.orderBy], query.order)
    .orderBy('f.id', query.order)
    .limit(query.items)
    .offset((query.page - 1) * query.items)
    .execute();
  return { forms, total };
}

export type ListedForm = Awaited<ReturnType<typeof listForms>>['forms'][number];

function matchingForms(tx: Tx, { customerId, formId, search, archived, active }: FormQuery) {
  let forms = tx
    .selectFrom('forms as f')
    .innerJoin('form_counts as c', (join) =>
      join.onRef('c.form_id', '=', 'f.id').onRef('c.customer_id', '=', 'f.customer_id'),
    )
    .where('f.customer_id', '=', customerId)
    .where('f.deleted', '=', false);
  if (formId !== null) forms = forms.where('f.id', '=', formId);
  if (archived !== null) forms = forms.where('f.archived', '=', archived);
  if (active !== null) forms = forms.where('f.active', '=', active);
  if (search !== null) {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    forms = forms.where((eb) => eb.or([eb('f.title', 'ilike', pattern), eb('f.description', 'ilike', pattern)]));
  }
  return forms;
}
