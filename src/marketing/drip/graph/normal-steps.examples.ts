import type { ActingStep, Step } from './steps.ts';

/** Whether a list without gotos goes on with whatever follows it. */
export function fallsOut(list: readonly Step[]): boolean {
  const last = list.at(-1);
  if (last === undefined) return true;
  if (last.type === 'exit') return false;
  if (!isFork(last)) return true;
  return fallsOut(last.then ?? []) || (!isEndless(last) && fallsOut(last.else ?? []));
}

/**
 * Of the ways to nest the same steps without gotos, the one that is written: what follows an arm that does not meet
 * the other one stands after the fork if it falls out of the list, or else if it is the longer.
 */
export function normalSteps(list: readonly Step[]): Step[] {
  const at = list.findIndex(isFork);
  if (at === -1) return [...list];
  const fork = list[at] as ActingStep;
  const [before, after] = [list.slice(0, at), list.slice(at + 1)];
  const [then, otherwise] = [fork.then ?? [], fork.else ?? []];
  if (isEndless(fork)) return [...before, withArms(fork, [], []), ...normalSteps([...then, ...after])];
  if (fallsOut(then) && fallsOut(otherwise)) return [...before, withArms(fork, then, otherwise), ...normalSteps(after)];
  const [one, other] = [then, otherwise].map((arm) => (fallsOut(arm) ? [...arm, ...after] : arm)) as [Step[], Step[]];
  const most = Math.max(weight(one), weight(other));
  if (weight(one) === weight(other)) return [...before, withArms(fork, one, other)];
  return weight(one) === most
    ? [...before, withArms(fork, [], other), ...normalSteps(one)]
    : [...before, withArms(fork, one, []), ...normalSteps(other)];
}

/** How much an arm asks to stand after the fork. */
function weight(list: Step[]): number {
  return fallsOut(list) ? Number.POSITIVE_INFINITY : countSteps(list);
}

function countSteps(list: readonly Step[]): number {
  return list.reduce(
    (sum, step) => sum + (isFork(step) ? 1 + countSteps(step.then ?? []) + countSteps(step.else ?? []) : 1),
    0,
  );
}

function isFork(step: Step): step is ActingStep {
  return step.type === 'branch' || step.type === 'wait';
}

function isEndless(step: ActingStep): boolean {
  return step.type === 'wait' && step.timeout === undefined;
}

function withArms(step: ActingStep, then: Step[], otherwise: Step[]): ActingStep {
  const arms = [
    ['then', normalSteps(then)],
    ['else', normalSteps(otherwise)],
  ] as const;
  const own = Object.entries(step).filter(([name]) => name !== 'then' && name !== 'else');
  const shown = arms.filter(([, list]) => step.type === 'branch' || list.length > 0);
  return Object.fromEntries([...own, ...shown]) as ActingStep;
}
