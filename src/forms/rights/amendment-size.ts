import { AppError } from '../../platform/errors.ts';
import { BODY_LIMITS } from '../../platform/http/body/streamed/limits.ts';
import type { Answers, FormModel } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import { MOST_CONTENT } from '../submissions/sealed-submission.ts';
import type { AmendmentContent } from './amendment.ts';

/** As much as comes with a submission beside its files, so that every answer of one can be set right. */
export const LARGEST_AMENDMENT = BODY_LIMITS.skeletonBytes;

/** Throws where an answer holds a longer text than whoever submits may send. A key that nobody knows may be anything. */
export function refuseLongTexts(model: FormModel, changes: Answers): void {
  const names = new Set(questionsOf(model).map(({ name }) => name));
  for (const [name, answer] of Object.entries(changes)) {
    const rule = `holds a text of more than ${BODY_LIMITS.stringBytes} bytes`;
    if (isLong(answer)) throw tooLarge(names.has(name) ? name : 'changes', rule);
  }
}

/** Throws where all amendments of a submission would take more than the submission itself may. */
export function refuseTooMuch(amendments: readonly AmendmentContent[]): void {
  const length = amendments.reduce((sum, amendment) => sum + JSON.stringify(amendment).length, 0);
  const rule = `all amendments of a submission take at most ${MOST_CONTENT} signs as JSON`;
  if (length > MOST_CONTENT) throw tooLarge('changes', rule);
}

function isLong(answer: unknown): boolean {
  if (typeof answer === 'string') return Buffer.byteLength(answer) > BODY_LIMITS.stringBytes;
  return typeof answer === 'object' && answer !== null && Object.values(answer).some(isLong);
}

function tooLarge(field: string, rule: string): AppError {
  return new AppError('payload_too_large', `${field}: ${rule}`, { fields: { [field]: [rule] } });
}
