import { Type } from 'typebox';
import type { AppError } from '../../platform/errors.ts';

export const EmailErrors = Type.Object({
  errors: Type.Array(
    Type.Object({
      code: Type.Integer(),
      title: Type.String(),
      details: Type.String(),
      status: Type.Optional(Type.String()),
    }),
  ),
});

/** The Email area's error body. */
export function emailErrorBody(error: AppError): object {
  const status = error.code === 'invalid_access_token' ? { status: error.code } : {};
  return { errors: [{ code: error.status, title: error.title, details: error.message, ...status }], ...error.beside };
}

/** The same for templates, whose clients read a single text. */
export function templateErrorBody(error: AppError): object {
  return { error: error.message, ...emailErrorBody(error) };
}
