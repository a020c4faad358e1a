import { judgeAnswers } from './check/judge.ts';
import { hasPattern } from './customer-pattern.ts';
import type { FormModel, SentFile, Verdict } from './form-model.ts';
import type { Say } from './phrases.ts';
import { type ProblemKey, sayInEnglish } from './problems.ts';

/** Checks what was sent against what a form asks, by the rules of the questions that were asked. It never throws. */
export function checkAnswers(
  model: FormModel,
  sent: Record<string, unknown>,
  files: readonly SentFile[],
  today: string,
  say: Say<ProblemKey> = sayInEnglish,
): Verdict {
  return judgeAnswers(model, sent, files, { today, say, hasPattern });
}
