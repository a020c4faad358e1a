import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { changeFieldType, createFieldType, deleteFieldType, findFieldType } from '../fields/change-type.ts';
import type { FieldType } from '../fields/field-type.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { FieldTypeBody, readFieldType, readFieldTypeChange } from '../fields/read-field-type.ts';
import { rereadSegments } from '../segments/reread.ts';
import type { MarketingDeps } from './deps.ts';

const FieldReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.Literal('subscriber_custom_field_type'),
  attributes: Type.Object({ name: Type.String(), kind: Type.String(), class: Type.String() }),
});
const One = Type.Object({ data: FieldReply });
const Id = Type.Object({ id: Type.String() });

/** What a customer keeps of its people beside names and addresses. */
export function customFieldTypeEndpoints({ db, clock, idempotency, requireOwn }: MarketingDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/subscriber_custom_field_types',
      operation: 'listCustomFieldTypes',
      summary: 'The custom fields of the customer',
      access: { scope: 'marketing' },
      audit: null,
      reply: Type.Object({ data: Type.Array(FieldReply) }),
      async handle({ caller: { customerId } }) {
        const types = await db.tenant([customerId], (tx) => listFieldTypes(tx, customerId));
        return { data: types.map(describe) };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/subscriber_custom_field_types',
      operation: 'createCustomFieldType',
      summary: 'Add a custom field with its kind and class; values of class phi are kept sealed',
      access: { scope: 'marketing' },
      audit: 'field.created',
      body: FieldTypeBody,
      idempotent: true,
      reply: One,
      async handle({ act, body, idempotency: claim }) {
        const wanted = readFieldType(body);
        return db.tenant([act.customerId], async (tx) => {
          const reply = { data: describe(await createFieldType(tx, clock, act.customerId, wanted)) };
          await recordAct(tx, clock, act, { target: reply.data.id });
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/subscriber_custom_field_types/:id',
      operation: 'updateCustomFieldType',
      summary: 'Rename a custom field, or change its kind or class; health data stays health data',
      access: { scope: 'marketing', role: 'admin' },
      audit: 'field.changed',
      params: Id,
      body: FieldTypeBody,
      reply: One,
      async handle({ act, params, body }) {
        const change = readFieldTypeChange(body);
        return db.tenant([act.customerId], async (tx) => {
          const before = await findFieldType(tx, requireOwn, act.customerId, params.id);
          const after = await changeFieldType(tx, act.customerId, before, change);
          if (after.kind !== before.kind) await rereadSegments(tx, act.customerId, after);
          await recordAct(tx, clock, act, { target: before.id, details: { changed: Object.keys(change) } });
          return { data: describe(after) };
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/subscriber_custom_field_types/:id',
      operation: 'deleteCustomFieldType',
      summary: 'Remove a custom field; its values are no longer shown or sent',
      access: { scope: 'marketing', role: 'admin' },
      audit: 'field.deleted',
      params: Id,
      reply: Type.Object({}),
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => {
          const type = await findFieldType(tx, requireOwn, act.customerId, params.id);
          await deleteFieldType(tx, act.customerId, type);
          await recordAct(tx, clock, act, { target: type.id });
          return {};
        }),
    }),
  ];
}

function describe({ id, name, kind, class: given }: FieldType): Static<typeof FieldReply> {
  return { id, type: 'subscriber_custom_field_type', attributes: { name, kind, class: given } };
}
