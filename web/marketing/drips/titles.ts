import { words } from '../../words/drips/steps.ts';
import { ABOUT_CAMPAIGN, ABOUT_ENTRY, ABOUT_GOAL } from './model/problems.ts';
import type { Step } from './model/step.ts';
import { findStanding } from './model/tree.ts';

const AROUND = new Map([
  [ABOUT_ENTRY, words.entry],
  [ABOUT_GOAL, words.goal],
  [ABOUT_CAMPAIGN, words.campaign],
]);

/** What a part of a drip is called: a step by its kind, and what is around the steps. */
export function titleOf(part: string, steps: readonly Step[]): string {
  const step = findStanding(steps, part)?.step;
  return step === undefined ? (AROUND.get(part) ?? '') : words.kinds[step.type];
}
