import type { Answers, FormModel, Heading } from '../model/form-model.ts';
import { isRecord } from '../model/normalise.ts';
import { type Answered, questionsOf } from '../model/questions.ts';
import type { SubmittedFile } from './sealed-submission.ts';

/** The answers, with the names of the files that were sent as those to questions for files. */
export function withFileNames(model: FormModel, answers: Answers, files: readonly SubmittedFile[]): Answers {
  if (files.length === 0) return answers;
  const questions = questionsOf(model);
  const asked = questions.filter(({ kind }) => kind === 'file');
  const only = asked.length === 1 ? asked[0]?.name : undefined;
  const byPath = Map.groupBy(files, ({ field }) => field ?? only);
  const namesFor = (items: readonly (Answered | Heading)[], prefix: string) =>
    Object.fromEntries(
      items.flatMap((item) => {
        const sent = item.kind === 'file' ? byPath.get(`${prefix}${item.name}`) : undefined;
        return item.kind === 'heading' || sent === undefined ? [] : [[item.name, sent.map(({ name }) => name)]];
      }),
    );
  const groups = questions.flatMap((group) => {
    const entries = Object.hasOwn(answers, group.name) ? answers[group.name] : undefined;
    if (group.kind !== 'group' || !Array.isArray(entries)) return [];
    const told = entries.map((entry: unknown, at) =>
      isRecord(entry) ? { ...namesFor(group.items, `${group.name}.${at}.`), ...entry } : entry,
    );
    return [[group.name, told]];
  });
  return { ...namesFor(asked, ''), ...answers, ...Object.fromEntries(groups) };
}
