import { Type } from 'typebox';
import type { Database } from '../../platform/db/database.ts';
import { type Endpoint, publicEndpoint } from '../../platform/http/endpoint.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { formNotFound, selectForms } from '../definition/form.ts';
import type { FindPublicForm } from '../definition/public-forms.ts';
import { toJsonSchema } from '../model/json-schema.ts';
import { describeForm, FormReply } from './form-reply.ts';

const Id = Type.Object({ id: Type.String() });

interface Deps {
  db: Database;
  findPublicForm: FindPublicForm;
  findVersion: FindVersion;
}

/** What anybody may know of a form that is open: how it looks, and what it asks. */
export function publicFormEndpoints({ db, findPublicForm, findVersion }: Deps): Endpoint[] {
  return [
    publicEndpoint({
      method: 'GET',
      path: '/public/form_data/:id',
      operation: 'readPublicForm',
      summary: 'A form for those who fill it in; the id is the only access control',
      access: 'public',
      crossOrigin: true,
      audit: null,
      params: Id,
      reply: FormReply,
      async handle({ params }) {
        const open = await findPublicForm(params.id);
        const form =
          open === null
            ? undefined
            : await db.tenant([open.customerId], (tx) =>
                selectForms(tx, open.customerId, [open.id]).executeTakeFirst(),
              );
        if (form === undefined) throw formNotFound();
        return { ...describeForm(form), recipient: null, subscription_list_id: null, old_form_id: null };
      },
    }),
    publicEndpoint({
      method: 'GET',
      path: '/public/form_data/:id/schema',
      operation: 'readPublicFormSchema',
      summary: 'The answers that a form takes, as JSON Schema 2020-12',
      access: 'public',
      crossOrigin: true,
      audit: null,
      params: Id,
      reply: Type.Object({}, { additionalProperties: true }),
      async handle({ params }) {
        const open = await findPublicForm(params.id);
        const version = open === null ? null : await findVersion(open, open.version);
        if (version === null) throw formNotFound();
        return toJsonSchema(version.model).schema;
      },
    }),
  ];
}
