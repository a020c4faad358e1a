import { planOfForm } from '../check/plan.ts';
import type { FormModel, Item } from '../form-model.ts';
import type { Reading } from './notes.ts';

/**
 * A form whose conditions wait for each other in no more places than there is time for. What waits for itself sees a page's or
 * a section's condition in a way of its own, so that it is worked out for each such question in place of once.
 */
export function withoutCostlyCircles(reading: Reading, model: FormModel): FormModel {
  if (reading.takeSteps(planOfForm(model).stepsInCircles)) return model;
  reading.note('', 'the conditions of pages and sections are ignored: too many questions wait for each other by them');
  return {
    ...model,
    pages: model.pages.map((page) => ({ ...page, showWhen: null, items: page.items.map(alwaysShown) })),
  };
}

function alwaysShown(item: Item): Item {
  return item.kind === 'section' ? { ...item, showWhen: null, items: item.items.map(alwaysShown) } : item;
}
