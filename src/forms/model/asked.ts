import { planOfForm } from './check/plan.ts';
import { Sheet } from './check/sheet.ts';
import type { Answers, FormModel, Item, Page, Verdict } from './form-model.ts';
import { questionsOf } from './questions.ts';
import type { Today } from './today.ts';

/** Tells what of a form was shown to somebody who gave these answers on that day. */
export function whatWasAsked(model: FormModel, answers: Answers, today: Today): (item: Item | Page) => boolean {
  const sheet = new Sheet(planOfForm(model), answers, { answer: () => undefined, score: () => undefined, today });
  return (item) => {
    const filled = 'name' in item ? sheet.filled.get(item.name) : undefined;
    return filled?.isAsked ?? (item.showWhen === null || sheet.holds(item.showWhen));
  };
}

/**
 * The same of a submission that was taken: what was answered and not called unasked then was asked, also where the conditions
 * of its form are read in another way by now.
 */
export function whatWasAskedThen(
  model: FormModel,
  { answers, unasked }: Pick<Verdict, 'answers' | 'unasked'>,
  today: Today,
): (item: Item | Page) => boolean {
  const isAsked = whatWasAsked(model, answers, today);
  const notAsked = new Set(unasked);
  const wasAsked = (item: Item | Page): boolean => {
    if (isAsked(item)) return true;
    if ('name' in item) return Object.hasOwn(answers, item.name) && !notAsked.has(item.name);
    return 'items' in item && item.items.some(wasAsked);
  };
  return wasAsked;
}

/** The answers without those that the form took back: what comes of a submission comes of these alone. */
export function askedAnswers(model: FormModel, { answers, unasked }: Pick<Verdict, 'answers' | 'unasked'>): Answers {
  const notAsked = new Set(unasked);
  const takenBack = new Set(questionsOf(model).flatMap(({ name }) => (notAsked.has(name) ? [name] : [])));
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !takenBack.has(name)));
}
