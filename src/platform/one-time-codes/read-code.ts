import { CODE_DIGITS } from './rules.ts';

/** The code that a form sent as `code`, however people space it; null where it is none. */
export function readCode(body: unknown): string | null {
  const { code } = (body as Record<string, unknown> | undefined) ?? {};
  const digits = typeof code === 'string' ? code.replace(/[\s-]/g, '') : '';
  return new RegExp(`^\\d{${CODE_DIGITS}}$`).test(digits) ? digits : null;
}
