import { type Expression, renameIn } from '../model/expression/syntax.ts';
import { writeExpression } from '../model/expression/write.ts';
import type { Item, Page } from '../model/form-model.ts';
import type { Change } from './change.ts';
import { labelOf, type Part, told } from './parts.ts';
import { upper } from './rule-changes.ts';

/** The names of questions in conditions, by what stays the same when one is renamed. */
export type Known = (name: string) => string;

/** By which question each name is known in a version. */
export function knownNames(parts: readonly Part[]): Known {
  const keys = new Map<string, string>();
  for (const { item, key } of parts) if ('name' in item && !keys.has(item.name)) keys.set(item.name, key);
  return (name) => keys.get(name) ?? `name ${name}`;
}

/** What each condition is for, what is said of it, and what is said where there is none. */
const CONDITIONS = [
  ['showWhen', 'is shown', 'where', 'always'],
  ['requireWhen', 'is required', 'where', 'under no condition'],
  ['formula', 'is calculated', 'as', 'not at all'],
] as const;

/** How the conditions of a part changed. That a question in one of them was renamed is no change. */
export function conditionChanges(before: Page | Item, was: Known, part: Part, is: Known): Change[] {
  return CONDITIONS.flatMap(([key, verb, when, never]) => {
    const [old, now] = [expressionIn(before, key), expressionIn(part.item, key)];
    if (meaning(old, was) === meaning(now, is) || (key === 'formula' && (old === null || now === null))) return [];
    const [from, to] = [written(old), written(now)];
    const [past, present] = [from, to].map((text) => (text === null ? never : `${when} ${text}`));
    const difference =
      from === to ? 'as before, but a question that this speaks of is another or gone' : `before: ${past}`;
    const sentence = `${upper(told(part))} ${verb} ${present}; ${difference}.`;
    return [{ change: 'condition', item: part.item.id, label: labelOf(part), sentence, before: from, after: to }];
  });
}

function expressionIn(item: Page | Item, key: string): Expression | null {
  return (new Map(Object.entries(item)).get(key) as Expression | null | undefined) ?? null;
}

function meaning(expression: Expression | null, known: Known): string | null {
  return expression === null ? null : JSON.stringify(renameIn(expression, known));
}

function written(expression: Expression | null): string | null {
  return expression === null ? null : writeExpression(expression);
}
