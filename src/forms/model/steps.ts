import { stepsOf } from './expression/syntax.ts';
import type { Item } from './form-model.ts';

/** How many steps the expressions of these items take at most, without those of what stands in them. */
export function stepsOfItems(items: readonly Item[]): number {
  let steps = 0;
  for (const item of items) {
    if (item.showWhen !== null) steps += stepsOf(item.showWhen);
    if ('requireWhen' in item && item.requireWhen !== null) steps += stepsOf(item.requireWhen);
    if (item.kind === 'calculated') steps += stepsOf(item.formula);
  }
  return steps;
}
