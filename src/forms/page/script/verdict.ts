import { judgeAnswers } from '../../model/check/judge.ts';
import type { Answers, FormModel, SentFile, Verdict } from '../../model/form-model.ts';
import type { Say } from '../../model/phrases.ts';
import type { ProblemKey } from '../../model/problems.ts';
import type { Today } from '../../model/today.ts';
import { questionOf } from './question-of.ts';

/** The tokens of files that have come, by the plain path of their question. */
export type KeptFiles = Record<string, string[]>;

/** What a form is filled in with so far. */
export interface Filling {
  model: FormModel;
  answers: Answers;
  files: Readonly<KeptFiles>;
  /** A file that is about to be sent. */
  chosen?: SentFile;
  today: Today;
}

/** The server's verdict as far as a browser can know it: patterns are searched for by the server alone. */
export function judgeFilling({ model, answers, files, chosen, today }: Filling, say: Say<ProblemKey>): Verdict {
  const kept = Object.entries(files).flatMap(([path, tokens]) => tokens.map(() => acceptedFile(model, path)));
  const sent = chosen === undefined ? kept : [...kept, chosen];
  return judgeAnswers(model, answers, sent, { today, say, hasPattern: () => true });
}

/** Stands for a file that the server has taken: it was of a kind and a size that its question asks for. */
function acceptedFile(model: FormModel, path: string): SentFile {
  const question = questionOf(model, path);
  const [kind = '*'] = question?.kind === 'file' ? question.accept : [];
  const isEnding = kind.startsWith('.');
  return { name: isEnding ? kind : '', type: isEnding ? '' : kind.replace('*', 'any'), size: 0, field: path };
}
