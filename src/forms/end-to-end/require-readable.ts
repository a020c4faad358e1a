import { AppError } from '../../platform/errors.ts';
import type { SubmissionContent } from '../submissions/sealed-submission.ts';

/** Throws where a submission is encrypted to the customer's own keys: nothing can be made of it here. */
export function requireReadable({ endToEnd }: Pick<SubmissionContent, 'endToEnd'>): void {
  if (endToEnd === undefined) return;
  const told = 'This submission is encrypted end to end: carepost sealed export opens it where the identity is';
  throw new AppError('conflict', told);
}
