import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import '../tables.ts';

/** What of a form is versioned: a change of any of it makes the next version. */
export interface Definition {
  form_html: string | null;
  form_json: Record<string, unknown> | null;
  form_css: string | null;
  signable: boolean;
  signature_confirmation_label: string | null;
}

/** What a customer decides about a form. */
export interface FormSettings extends Definition {
  title: string;
  description: string | null;
  vanity_url: string | null;
  active: boolean;
  recipient: string | null;
  type: string | null;
  subscription_list_id: number | null;
}

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

/** These forms of a customer, whole and with their counts, in no order. */
export function selectForms(tx: Tx, customerId: number, ids: string[]) {
  return tx
    .selectFrom('forms as f')
    .innerJoin('form_counts as c', (join) =>
      join.onRef('c.form_id', '=', 'f.id').onRef('c.customer_id', '=', 'f.customer_id'),
    )
    .select(COLUMNS)
    .where('f.customer_id', '=', customerId)
    .where('f.id', 'in', ids);
}

export type Form = Awaited<ReturnType<ReturnType<typeof selectForms>['executeTakeFirstOrThrow']>>;

/** Throws unless a form is the customer's: 404 where none has the id, 403 where it is another's. */
export async function requireOwnForm(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw formNotFound();
  await requireOwn(tx, customerId, sql<number | null>`find_form_customer(${id})`, 'No such form');
}

/** A form of the customer that is not deleted. */
export async function findForm(tx: Tx, requireOwn: OwnershipCheck, customerId: number, id: string): Promise<Form> {
  await requireOwnForm(tx, requireOwn, customerId, id);
  const form = await selectForms(tx, customerId, [id]).where('f.deleted', '=', false).executeTakeFirst();
  if (form === undefined) throw formNotFound();
  return form;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockForm(tx: Tx, requireOwn: OwnershipCheck, customerId: number, id: string): Promise<Form> {
  await requireOwnForm(tx, requireOwn, customerId, id);
  await tx
    .selectFrom('forms')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  return findForm(tx, requireOwn, customerId, id);
}

/** The one refusal of every id that leads to no form. */
export function formNotFound(): AppError {
  return new AppError('not_found', 'No such form');
}
