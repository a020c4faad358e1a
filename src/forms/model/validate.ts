import { judgeAnswers, pathsOfFiles } from './check/judge.ts';
import { hasPattern } from './customer-pattern.ts';
import type { FormModel, SentFile, Verdict } from './form-model.ts';
import type { Say } from './phrases.ts';
import { type ProblemKey, sayInEnglish } from './problems.ts';
import type { Today } from './today.ts';

/** Checks what was sent against what a form asks, by the rules of the questions that were asked. It never throws. */
export function checkAnswers(
  model: FormModel,
  sent: Record<string, unknown>,
  files: readonly SentFile[],
  today: Today,
  say: Say<ProblemKey> = sayInEnglish,
): Verdict {
  return judgeAnswers(model, sent, files, { today, say, hasPattern });
}

/** The files that were sent, each under the path of its question where that is known, else as its sender said. */
export function placeFiles<F extends SentFile>(
  model: FormModel,
  sent: Record<string, unknown>,
  files: readonly F[],
  today: Today,
): F[] {
  if (files.length === 0) return [];
  const paths = pathsOfFiles(model, sent, files, { today, say: sayInEnglish, hasPattern });
  return files.map((file) => ({ ...file, field: paths.get(file) ?? file.field }));
}
