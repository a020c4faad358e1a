import assert from 'node:assert/strict';
import { AppError, type ErrorCode } from '../../../platform/errors.ts';

/** What a call is refused for: the code of the error and the only field that it names. */
export function refusalOf(call: () => unknown): { code: ErrorCode; field: string; rule: string } | null {
  try {
    call();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [[field, rules] = ['', []], ...others] = Object.entries(error.fields);
    assert.equal(others.length, 0);
    const [rule = ''] = rules;
    assert.equal(error.message, `${field}: ${rule}`);
    return { code: error.code, field, rule };
  }
}
