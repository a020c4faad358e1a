import type { FormModel, RepeatingGroup, SentFile, Verdict } from '../form-model.ts';
import type { Today } from '../today.ts';
import { type FilePlace, SortedFiles } from './files.ts';
import { planOfForm } from './plan.ts';
import { type Judging, lacksOf, problemsOf } from './rules.ts';
import { type Filled, Sheet } from './sheet.ts';

/** Holds what was sent against what a form asks. The browser runs it as the server does, and it never throws. */
export function judgeAnswers(
  model: FormModel,
  sent: Record<string, unknown>,
  files: readonly SentFile[],
  judging: Judging,
): Verdict {
  if (model.shape === 'unknown') return { answers: sent, problems: {}, unasked: [] };
  const sheet = sheetOf(model, sent, files, judging.today);
  const check = new Check(judging, sheet, files);
  check.checkSheet(sheet, '');
  return { answers: sheet.answers(), problems: Object.fromEntries(check.problems), unasked: check.unasked };
}

/** The paths of the questions that files are meant for, by whichever of its names each was sent. */
export function pathsOfFiles(
  model: FormModel,
  sent: Record<string, unknown>,
  files: readonly SentFile[],
  judging: Judging,
): Map<SentFile, string> {
  if (model.shape === 'unknown') return new Map();
  return new Check(judging, sheetOf(model, sent, files, judging.today), files).pathsOfFiles();
}

function sheetOf(model: FormModel, sent: Record<string, unknown>, files: readonly SentFile[], today: Today): Sheet {
  const around = { answer: () => undefined, score: () => undefined, today };
  const paths = new Set(files.flatMap(({ field }) => field ?? []));
  return new Sheet(planOfForm(model), sent, around, paths);
}

class Check {
  readonly problems = new Map<string, string[]>();
  readonly unasked: string[] = [];
  readonly #judging: Judging;
  readonly #places = new Map<Filled, FilePlace>();
  readonly #files: SortedFiles;

  constructor(judging: Judging, sheet: Sheet, files: readonly SentFile[]) {
    this.#judging = judging;
    this.#findPlaces(sheet, '', true);
    this.#files = new SortedFiles([...this.#places.values()], files, judging.say);
  }

  checkSheet(sheet: Sheet, prefix: string): void {
    for (const filled of sheet.inOrder()) {
      const path = `${prefix}${filled.asking.question.name}`;
      if (filled.isAsked) this.#add(path, this.#problemsOf(sheet, filled, path));
      else if (filled.answer !== undefined || this.#hasFiles(filled)) this.unasked.push(path);
    }
    for (const key of sheet.leftOver.keys()) this.unasked.push(`${prefix}${key}`);
  }

  pathsOfFiles(): Map<SentFile, string> {
    return this.#files.paths();
  }

  #hasFiles(filled: Filled): boolean {
    const place = this.#places.get(filled);
    return place !== undefined && this.#files.isSent(place);
  }

  #problemsOf(sheet: Sheet, filled: Filled, path: string): string[] {
    const { question } = filled.asking;
    const isRequired = question.required || (question.requireWhen !== null && sheet.holds(question.requireWhen));
    if (question.kind === 'group') return this.#problemsOfGroup(question, filled, path, isRequired);
    if (question.kind === 'calculated') return [];
    const place = this.#places.get(filled);
    if (place !== undefined) {
      const lacks = isRequired && !this.#files.isAnswered(place);
      return lacks ? [this.#judging.say('file')] : this.#files.problemsOf(place);
    }
    const problems = filled.answer === undefined ? [] : problemsOf(question, filled.answer, this.#judging);
    return isRequired && problems.length === 0 ? lacksOf(question, filled.answer, this.#judging.say) : problems;
  }

  #problemsOfGroup(group: RepeatingGroup, { answer, entries }: Filled, path: string, isRequired: boolean): string[] {
    const { say } = this.#judging;
    if (answer === undefined) return isRequired ? [say('oneEntry')] : [];
    const isTooLong = Array.isArray(answer) && answer.length > group.most;
    if (entries.length === 0 && !isTooLong) return [say('entries')];
    for (const [i, entry] of entries.entries()) this.checkSheet(entry, `${path}.${i}.`);
    if (isTooLong) return [say('mostEntries', group.most)];
    return entries.length < group.least ? [say('leastEntries', group.least)] : [];
  }

  #findPlaces(sheet: Sheet, prefix: string, isGroupAsked: boolean): void {
    for (const filled of sheet.inOrder()) {
      const { asking, answer, entries } = filled;
      const { question, aliases } = asking;
      const isAsked = isGroupAsked && filled.isAsked;
      if (question.kind === 'file') {
        this.#places.set(filled, {
          question,
          path: `${prefix}${question.name}`,
          aliases: aliases.map((alias) => `${prefix}${alias}`),
          answer,
          isAsked,
        });
      }
      for (const [i, entry] of entries.entries()) this.#findPlaces(entry, `${prefix}${question.name}.${i}.`, isAsked);
    }
  }

  #add(path: string, problems: string[]): void {
    if (problems.length > 0) this.problems.set(path, problems);
  }
}
