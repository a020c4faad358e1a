import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError, missingField } from '../../platform/errors.ts';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { createForm } from '../definition/create.ts';
import { findForm, lockForm } from '../definition/form.ts';
import { listForms } from '../definition/list.ts';
import { FormChangeBody, NewFormBody, readFormChange, readNewForm } from '../definition/read-form.ts';
import { type FormQuery, readCustomerId, readFormQuery } from '../definition/read-form-query.ts';
import { readStats } from '../definition/stats.ts';
import { updateForm } from '../definition/update.ts';
import { describeForm, FormReply } from './form-reply.ts';

const BODY_LIMIT = 4 * 2 ** 20;

const FormListReply = Type.Object({
  results: Type.Array(FormReply),
  page_info: PageInfo,
});

/** Wrong values fall back rather than fail. */
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

export interface FormsDeps {
  db: Database;
  clock: Clock;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
  /** Whether a key of this customer may list the forms of that one. */
  mayList(customerId: number, wanted: number): boolean;
}

/** The forms of a customer: list, make, read and change them. */
export function formEndpoints(deps: FormsDeps): Endpoint[] {
  const { db, clock, idempotency, requireOwn, mayList } = deps;

  function requireAccess(customerId: number, wanted: number): void {
    if (!mayList(customerId, wanted)) throw new AppError('forbidden', 'The key has no access to this customer');
  }

  async function requireOwnList(tx: Tx, customerId: number, listId: number | null | undefined): Promise<void> {
    if (listId === null || listId === undefined) return;
    const owner = sql<number | null>`find_subscription_list_customer(${listId})`;
    await requireOwn(tx, customerId, owner, missingField('subscription_list_id', 'no such list'));
  }

  return [
    endpoint({
      method: 'GET',
      path: '/api/forms',
      operation: 'listForms',
      summary: 'List forms',
      access: { scope: 'forms' },
      audit: null,
      query: ListQuery,
      reply: FormListReply,
      async handle({ caller, query: wire }) {
        const query = readFormQuery(wire);
        requireAccess(caller.customerId, query.customerId);
        const { forms, total } = await db.tenant([caller.customerId], async (tx) => {
          if (query.impossible) return { forms: [], total: 0 };
          if (query.formId !== null) await requireOwnOrUnknown(tx, requireOwn, query);
          return listForms(tx, query);
        });
        const { page, items } = query;
        return {
          results: forms.map(describeForm),
          page_info: { count: total, pages: Math.ceil(total / items), page, items },
        };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/forms',
      operation: 'createForm',
      summary: 'Make a form',
      access: { scope: 'forms' },
      audit: 'form.created',
      body: NewFormBody,
      bodyLimit: BODY_LIMIT,
      idempotent: true,
      reply: Type.Object({ id: Type.String({ format: 'uuid' }) }),
      async handle({ act, body, idempotency: claim }) {
        requireAccess(act.customerId, Number(body.customer_id));
        const wanted = readNewForm(body);
        return db.tenant([act.customerId], async (tx) => {
          await requireOwnList(tx, act.customerId, wanted.subscription_list_id);
          const reply = { id: await createForm(tx, { clock, act }, wanted) };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/stats',
      operation: 'readFormStats',
      summary: 'What the forms add up to',
      access: { scope: 'forms' },
      audit: null,
      query: Type.Object({ customer_id: Parameter('Default: the customer of the key') }),
      reply: Type.Object({
        active_form_count: Type.Integer(),
        total_submission_count: Type.Integer(),
        submissions_last_7_days: Type.Integer(),
      }),
      async handle({ caller: { customerId }, query }) {
        if (query.customer_id !== undefined) requireAccess(customerId, readCustomerId(query.customer_id));
        return db.tenant([customerId], (tx) => readStats(tx, customerId, clock.now()));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/forms/:id',
      operation: 'readForm',
      summary: 'One form, whether public or not',
      access: { scope: 'forms' },
      audit: null,
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({ data: FormReply }),
      handle: async ({ caller: { customerId }, params }) => ({
        data: describeForm(await db.tenant([customerId], (tx) => findForm(tx, requireOwn, customerId, params.id))),
      }),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/forms/:id',
      operation: 'updateForm',
      summary: 'Change a form; null leaves a field as it is, an empty text clears it',
      access: { scope: 'forms' },
      audit: 'form.updated',
      params: Type.Object({ id: Type.String() }),
      body: Type.Object({ ...FormChangeBody.properties, ...IfUpdatedAt }),
      bodyLimit: BODY_LIMIT,
      reply: Type.Object({ detail: Type.String(), form_id: Type.String({ format: 'uuid' }) }),
      async handle({ act, params, body }) {
        const named = Number(body.customer_id ?? 0); // clients without empty numbers send 0
        if (named !== 0) requireAccess(act.customerId, named);
        const change = readFormChange(body);
        return db.tenant([act.customerId], async (tx) => {
          const before = await lockForm(tx, requireOwn, act.customerId, params.id);
          refuseOvertaken(body, before.updated_at);
          await requireOwnList(tx, act.customerId, change.settings.subscription_list_id);
          await updateForm(tx, { clock, act }, before, change);
          return { detail: 'Form updated successfully', form_id: before.id };
        });
      },
    }),
  ];
}

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
