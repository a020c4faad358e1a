import { Type } from 'typebox';
import type { AppError } from '../../platform/errors.ts';

export const FormsError = Type.Object({
  message: Type.String(),
  detail: Type.String(),
  error: Type.String(),
  errors: Type.Array(Type.Object({ code: Type.Integer(), title: Type.String(), details: Type.String() })),
  fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});

/** The Forms area's error body: the same words in every place where some client looks for them. */
export function formsErrorBody({ message, status, title, fields }: AppError): object {
  const body = { message, detail: message, error: title, errors: [{ code: status, title, details: message }] };
  return Object.keys(fields).length === 0 ? body : { ...body, fields };
}
