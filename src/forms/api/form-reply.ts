import { type Static, Type } from 'typebox';
import type { Form } from '../definition/form.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

/** A form on the wire. */
export const FormReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  title: Type.String(),
  description: Text,
  form_html: Text,
  // Not a Record: its pattern matches no key with a line break, and what does not match is left out of the reply.
  form_json: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
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

/** Describes a form to its customer. */
export function describeForm(form: Form): Static<typeof FormReply> {
  return {
    ...form,
    subscription_list_id: form.subscription_list_id === null ? null : String(form.subscription_list_id),
    created_at: form.created_at.toISOString(),
    updated_at: form.updated_at.toISOString(),
  };
}
