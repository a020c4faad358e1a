import { RE2JS } from 're2js';
import { AppError } from '../platform/errors.ts';
import { refuseUnstorable } from '../platform/http/json-body.ts';

const LONGEST = 256;

/**
 * Whether a name holds what a regular expression describes: RE2 syntax, anywhere in the name, minding case. The
 * engine takes linear time, whatever the expression.
 */
export function namePattern(expression: string): (name: string) => boolean {
  const pattern = compile(expression);
  return (name) => pattern.test(name);
}

function refusal(rule: string): AppError {
  return new AppError('invalid_regex', `search ${rule}`, { fields: { search: [rule] } });
}

function compile(expression: string): RE2JS {
  refuseUnstorable(expression);
  if (expression.length > LONGEST) throw refusal(`takes at most ${LONGEST} characters`);
  try {
    return RE2JS.compile(expression);
  } catch {
    throw refusal('is no regular expression of the RE2 syntax');
  }
}
