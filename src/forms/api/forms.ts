import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { type ListedForm, listForms } from '../definition/list.ts';
import { type FormQuery, readFormQuery } from '../definition/read-form-query.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

const Form = Type.Object({
  id: Type.String({ format: 'uuid' }),
  title: Type.String(),
  description: Text,
  form_html: Text,
  form_json: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  form_css: Text,
  vanity_url: Text,
  version: Type.Integer(),
  active: Type.Boolean(),
  customer_id: Type.Integer(),
  old_form_id: Type.Union([Type.Integer(), Type.Null()]),
  recipient: Text,
  signable: Type.Boolean(),
  signature_confirmation_label: Text,
  submission_count: Type.Integer(),
  type: Text,
  subscription_list_id: Text,
  deleted: Type.Boolean(),
  archived: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

const FormListResponse = Type.Object({
  results: Type.Array(Form),
  page_info: Type.Object({
    count: Type.Integer(),
    pages: Type.Integer(),
    page: Type.Integer(),
    items: Type.Integer(),
  }),
});

/** Wrong values fall back rather than fail, so every parameter is text and may be repeated. */
const Parameter = (description: string) =>
  Type.Optional(Type.Union([Type.String({ description }), Type.Array(Type.String())]));

const ListQuery = Type.Object({
  customer_id: Parameter('The customer whose forms are listed (required)'),
  form_id: Parameter('Only this form'),
  search: Parameter('Part of the title or description, ignoring case'),
  archived: Parameter('true or false'),
  active: Parameter('true or false'),
  order_by: Parameter('created_at (default), title, updated_at or submission_count'),
  order: Parameter('desc (default) or asc'),
  page: Parameter('1 and up'),
  items: Parameter('Page size, 50 by default, 100 at most'),
});

interface Deps {
  db: Database;
  requireOwn: OwnershipCheck;
  /** Whether a key of this customer may list the forms of that one. */
  mayList(customerId: number, wanted: number): boolean;
}

/** GET /api/forms */
export function listFormsEndpoint({ db, requireOwn, mayList }: Deps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/api/forms',
    operation: 'listForms',
    summary: 'List forms',
    access: { scope: 'forms' },
    audit: null,
    query: ListQuery,
    reply: FormListResponse,
    async handle({ caller, query: wire }) {
      const query = readFormQuery(wire);
      if (!mayList(caller.customerId, query.customerId)) {
        throw new AppError('forbidden', 'The key has no access to this customer');
      }
      const { forms, total } = await db.tenant([caller.customerId], async (tx) => {
        if (query.impossible) return { forms: [], total: 0 };
        if (query.formId !== null) await requireOwnOrUnknown(tx, requireOwn, query);
        return listForms(tx, query);
      });
      return {
        results: forms.map(describe),
        page_info: { count: total, pages: Math.ceil(total / query.items), page: query.page, items: query.items },
      };
    },
  });
}

type Tx = Parameters<OwnershipCheck>[0];

/** Another customer's form is refused; one that exists nowhere is an empty list. */
async function requireOwnOrUnknown(
  tx: Tx,
  requireOwn: OwnershipCheck,
  { customerId, formId }: FormQuery,
): Promise<void> {
  try {
    await requireOwn(tx, customerId, sql<number | null>`find_form_customer(${formId})`, 'No such form');
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}

function describe(form: ListedForm) {
  return {
    ...form,
    subscription_list_id: form.subscription_list_id === null ? null : String(form.subscription_list_id),
    created_at: form.created_at.toISOString(),
    updated_at: form.updated_at.toISOString(),
  };
}
