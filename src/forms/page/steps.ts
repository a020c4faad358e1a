import { whatWasAsked } from '../model/asked.ts';
import type { Answers, FormModel, Page } from '../model/form-model.ts';
import { isBlank, isRecord } from '../model/normalise.ts';
import type { Answered } from '../model/questions.ts';
import type { Today } from '../model/today.ts';
import { plainPath } from './field-name.ts';
import { askedIn, questionsIn } from './posted-answers.ts';
import { Filling } from './render/filling.ts';

/** The places of the pages that are asked, among all pages. A form that asks nothing still has its first. */
export function stepsOf(model: FormModel, answers: Answers, today: Today): number[] {
  if (model.pages.length === 1) return [0];
  const isAsked = whatWasAsked(model, answers, today);
  const steps = model.pages.flatMap((page, place) => (isAsked(page) ? [place] : []));
  return steps.length === 0 ? [0] : steps;
}

/** A question that stands on a page as asked, with what is answered to it. */
export interface AskedPlace {
  path: string;
  kind: Answered['kind'];
  answer: unknown;
}

/** Every question that a page shows as asked, those in the entries of its groups included. */
export function placesAsked(model: FormModel, page: Page | undefined, answers: Answers, today: Today): AskedPlace[] {
  const filling = new Filling(model, answers, today);
  return questionsIn(page?.items ?? []).flatMap((question) => {
    if (filling.sheet.filled.get(question.name)?.isAsked !== true) return [];
    const answer = answerOf(answers, question.name);
    const place = { path: question.name, kind: question.kind, answer };
    if (question.kind !== 'group') return [place];
    const inside = entriesOf(answer).flatMap((entry, i) => {
      const sheet = filling.entryOf(question, entry);
      return askedIn(question.items)
        .filter(({ name }) => sheet.filled.get(name)?.isAsked === true)
        .map(({ name, kind }) => ({ path: plainPath([question.name, i, name]), kind, answer: answerOf(entry, name) }));
    });
    return [place, ...inside];
  });
}

/**
 * The answers that no control of a page shows: those of other pages, and of what is not asked on it. A group travels
 * too where only that tells how many entries it has.
 */
export function answersElsewhere(model: FormModel, page: Page | undefined, answers: Answers, today: Today): Answers {
  const shown = new Set(placesAsked(model, page, answers, today).map(({ path }) => path));
  const groups = new Map(
    questionsIn(page?.items ?? []).flatMap((each) =>
      each.kind === 'group' ? [[each.name, askedIn(each.items).map(({ name }) => name)] as const] : [],
    ),
  );
  const left = Object.entries(answers).flatMap(([name, answer]): [string, unknown][] => {
    if (!shown.has(name)) return [[name, answer]];
    if (!groups.has(name)) return [];
    const entries = entriesOf(answer).map((entry, i) =>
      Object.fromEntries(Object.entries(entry).filter(([inside]) => !shown.has(plainPath([name, i, inside])))),
    );
    const isShown = (i: number) => groups.get(name)?.some((inside) => shown.has(plainPath([name, i, inside])));
    return entries.every((entry, i) => Object.keys(entry).length === 0 && isShown(i)) ? [] : [[name, entries]];
  });
  return Object.fromEntries(left);
}

/** A question and the place of its page. */
interface Stand {
  question: Answered;
  place: number;
}

/**
 * Finds questions by their plain paths. Names may have dots themselves, so that a path is that of a whole name, or else
 * goes on behind the name of a group with the number of an entry and the name of a question in it.
 */
export function questionsByPath({ pages }: FormModel): (path: string) => Stand | undefined {
  const all = pages.flatMap(({ items }, place) => questionsIn(items).map((question): Stand => ({ question, place })));
  const byName = new Map(all.map((stand) => [stand.question.name, stand]));
  const groups = all.flatMap(({ question, place }) => (question.kind === 'group' ? [{ question, place }] : []));
  return (path) => {
    const own = byName.get(path);
    if (own !== undefined) return own;
    for (const { question: group, place } of groups) {
      const [, inside] = (path.startsWith(`${group.name}.`) && IN_ENTRY.exec(path.slice(group.name.length + 1))) || [];
      const question = askedIn(group.items).find(({ name }) => name === inside);
      if (question !== undefined) return { question, place };
    }
    return undefined;
  };
}

const IN_ENTRY = /^\d+\.(.*)$/s;

/** The entries of a group as far as its answer is a list of them. */
export function entriesOf(answer: unknown): Answers[] {
  return Array.isArray(answer) ? answer.map((entry) => (isRecord(entry) ? entry : {})) : [];
}

/** What is answered under a name; an object has names of its own that nobody sent. */
export function answerOf(answers: Answers, name: string): unknown {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
  return isBlank(answer) ? undefined : answer;
}
