import { AppError } from '../platform/errors.ts';
import { UsageError } from './command.ts';

/** What a command that threw ends with: 2 where it was called wrongly, 1 where it failed. */
export function exitCodeOf(error: unknown): 1 | 2 {
  const isMisuse = error instanceof UsageError || (error instanceof AppError && error.code === 'invalid_request');
  return isMisuse ? 2 : 1;
}
