import { AppError } from '../../platform/errors.ts';

/** Says of a refusal where in the body it is about. */
export function refusedAt(at: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AppError)) throw error;
    const fields = Object.fromEntries(Object.entries(error.fields).map(([name, rules]) => [`${at}.${name}`, rules]));
    throw new AppError(error.code, `${at}.${error.message}`, { fields });
  };
}
