import { Type } from 'typebox';
import type { AppError } from '../../platform/errors.ts';

export const MarketingError = Type.Object({
  error: Type.String(),
  code: Type.String(),
  details: Type.Record(Type.String(), Type.Array(Type.String())),
});

/** The Marketing area's error body. */
export function marketingErrorBody(error: AppError): object {
  return { error: error.message, code: error.code, details: error.fields };
}
