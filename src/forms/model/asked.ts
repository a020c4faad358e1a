import { planOfForm } from './check/plan.ts';
import { Sheet } from './check/sheet.ts';
import type { Answers, FormModel, Item, Page } from './form-model.ts';

/** Tells what of a form was shown to somebody who gave these answers on that day. */
export function whatWasAsked(model: FormModel, answers: Answers, today: string): (item: Item | Page) => boolean {
  const sheet = new Sheet(planOfForm(model), answers, { answer: () => undefined, score: () => undefined, today });
  return (item) => {
    const filled = 'name' in item ? sheet.filled.get(item.name) : undefined;
    return filled?.isAsked ?? (item.showWhen === null || sheet.holds(item.showWhen));
  };
}
