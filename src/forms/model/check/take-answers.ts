import type { Plan } from './plan.ts';

/** What was sent, sorted by question; what belongs to none is left over. */
export interface Taken {
  byName: Map<string, unknown>;
  leftOver: Map<string, unknown>;
}

/**
 * Finds the answer of each question: under its name, else under its id, else under the slug of its name. A key that is
 * the name of a question is never taken for another, and no key is taken twice.
 */
export function takeAnswers(plan: Plan, sent: Readonly<Record<string, unknown>>): Taken {
  const leftOver = new Map(Object.entries(sent));
  const byName = new Map<string, unknown>();
  for (const name of plan.byName.keys()) {
    if (leftOver.has(name)) byName.set(name, leftOver.get(name));
    leftOver.delete(name);
  }
  for (const { question, aliases } of plan.askings) {
    const alias = byName.has(question.name) ? undefined : aliases.find((key) => leftOver.has(key));
    if (alias === undefined) continue;
    byName.set(question.name, leftOver.get(alias));
    leftOver.delete(alias);
  }
  return { byName, leftOver };
}
