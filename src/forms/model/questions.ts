import type { FormModel, Item, Question, RepeatingGroup } from './form-model.ts';

/** Everything of a form that has an answer. */
export type Answered = Question | RepeatingGroup;

const questions = new WeakMap<FormModel, readonly Answered[]>();

/** Every question of a form in its order, whatever page or section it stands in; those within groups stand in these. */
export function questionsOf(model: FormModel): readonly Answered[] {
  const known = questions.get(model) ?? model.pages.flatMap(({ items }) => items.flatMap(inside));
  questions.set(model, known);
  return known;
}

function inside(item: Item): Answered[] {
  if (item.kind === 'section') return item.items.flatMap(inside);
  return item.kind === 'heading' ? [] : [item];
}
