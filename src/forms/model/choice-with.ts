import type { Choice } from './form-model.ts';

/** Few are not worth it: they are found before an index is. */
const MANY = 8;

const indexes = new WeakMap<readonly Choice[], Map<string, Choice>>();

/** The choice that has a value, the first where several have it; thousands are looked for in thousands at once. */
export function choiceWith(choices: readonly Choice[], value: string): Choice | undefined {
  if (choices.length < MANY) return choices.find((choice) => choice.value === value);
  const index = indexes.get(choices) ?? indexOf(choices);
  indexes.set(choices, index);
  return index.get(value);
}

function indexOf(choices: readonly Choice[]): Map<string, Choice> {
  const index = new Map<string, Choice>();
  for (const choice of choices) if (!index.has(choice.value)) index.set(choice.value, choice);
  return index;
}
