import { isStorable } from '../../platform/http/body/json-body.ts';
import { problemsOf } from '../model/check/rules.ts';
import { hasPattern } from '../model/customer-pattern.ts';
import type { Answers, FormModel, Question } from '../model/form-model.ts';
import { normaliseAnswer } from '../model/normalise.ts';
import { sayInEnglish } from '../model/problems.ts';
import { questionsOf } from '../model/questions.ts';
import type { Today } from '../model/today.ts';

/** What an address can say in one value or a list of them; nobody agrees or signs by an address. */
const KINDS = new Set<Question['kind']>([
  ...(['text', 'long_text', 'number', 'email', 'phone', 'time', 'date', 'select', 'radio'] as const),
  ...(['checkboxes', 'yes_no', 'rating', 'hidden', 'unknown'] as const),
]);

/** The answers that an address brings to the questions that allow it, as far as they are good ones. */
export function prefilled(model: FormModel, query: Readonly<Record<string, unknown>>, today: Today): Answers {
  const given = questionsOf(model).flatMap((question): [string, unknown][] => {
    const value = Object.hasOwn(query, question.name) ? query[question.name] : undefined;
    if (value === undefined || question.kind === 'group' || !question.prefill || !KINDS.has(question.kind)) return [];
    const sent = Array.isArray(value) && question.kind !== 'checkboxes' ? value.at(-1) : value;
    const answer = [sent].flat().every(isStorableText) ? normaliseAnswer(question, sent) : undefined;
    const isGood =
      answer !== undefined && problemsOf(question, answer, { today, say: sayInEnglish, hasPattern }).length === 0;
    return isGood ? [[question.name, answer]] : [];
  });
  return Object.fromEntries(given);
}

function isStorableText(value: unknown): boolean {
  return typeof value !== 'string' || isStorable(value);
}
