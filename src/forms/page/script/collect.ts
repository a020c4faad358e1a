import type { Answers, FormModel } from '../../model/form-model.ts';
import { answerPath } from '../field-name.ts';
import { readAnswers } from '../posted-answers.ts';

/** The answers as the server will read them from these controls, laid over those of the other steps. */
export function collectAnswers(
  model: FormModel,
  controls: Iterable<readonly [string, unknown]>,
  travelled: Answers,
  seen: ReadonlySet<string>,
): Answers {
  const values = new Map<string, string[]>();
  for (const [name, value] of controls) {
    if (typeof value !== 'string' || answerPath(name) === null) continue;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const everything = { id: '', title: null, showWhen: null, items: model.pages.flatMap(({ items }) => items) };
  return readAnswers(everything, Object.fromEntries(values), travelled, seen);
}
