import type { Choice, Question, RepeatingGroup } from '../form-model.ts';
import { answerOfChoice, isRecord } from '../normalise.ts';

/** What the chosen choices of a question count together; a number or a rating counts itself. */
export function scoreOf(question: Question | RepeatingGroup, answer: unknown): number | undefined {
  if (answer === undefined) return undefined;
  if (question.kind === 'select' || question.kind === 'radio') return sum(question.choices, [answer]);
  if (question.kind === 'checkboxes') return sum(question.choices, Array.isArray(answer) ? answer : []);
  if (question.kind === 'matrix') return sum(question.columns, isRecord(answer) ? Object.values(answer) : []);
  return typeof answer === 'number' ? answer : undefined;
}

type Scores = ReadonlyMap<unknown, number | null>;

const known = new WeakMap<readonly Choice[], Scores>();

function sum(choices: readonly Choice[], chosen: readonly unknown[]): number {
  const scores: Scores = known.get(choices) ?? new Map(choices.map((each) => [answerOfChoice(each), each.score]));
  known.set(choices, scores);
  return chosen.reduce<number>((total, value) => total + (scores.get(value) ?? 0), 0);
}
