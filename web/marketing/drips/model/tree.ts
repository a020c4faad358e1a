import { type Arm, armsOf, isFork, type Step, type StepKind } from './step.ts';

/** A place between steps: at the top, or in one of the ways of a fork. */
export interface Place {
  fork: string | null;
  arm: Arm;
  index: number;
}

/** A step with where it stands. */
export interface Standing {
  step: Step;
  place: Place;
  depth: number;
}

/** Every step in the order in which it is read, with its place. */
export function standingsOf(
  steps: readonly Step[],
  fork: string | null = null,
  arm: Arm = 'then',
  depth = 0,
): Standing[] {
  return steps.flatMap((step, index) => [
    { step, place: { fork, arm, index }, depth },
    ...(isFork(step) ? armsOf(step).flatMap((each) => standingsOf(step[each], step.id, each, depth + 1)) : []),
  ]);
}

/** The step that an id names, with its place. */
export function findStanding(steps: readonly Step[], id: string): Standing | undefined {
  return standingsOf(steps).find(({ step }) => step.id === id);
}

/** The steps with one of them put in a place. */
export function insertStep(steps: readonly Step[], { fork, arm, index }: Place, step: Step): Step[] {
  return onList(steps, fork, arm, (list) => [...list.slice(0, index), step, ...list.slice(index)]);
}

/** The steps without one of them, and without what stands in it. */
export function removeStep(steps: readonly Step[], id: string): Step[] {
  return steps.flatMap((step) => (step.id === id ? [] : [onArms(step, (list) => removeStep(list, id))]));
}

/** The steps with one of them as it is now. */
export function replaceStep(steps: readonly Step[], next: Step): Step[] {
  return steps.map((step) => (step.id === next.id ? next : onArms(step, (list) => replaceStep(list, next))));
}

/** The steps with one of them in another place, which is one of the steps as they are; nothing goes into itself. */
export function moveStep(steps: readonly Step[], id: string, to: Place): Step[] {
  const from = findStanding(steps, id);
  if (from === undefined || (to.fork !== null && isWithin(from.step, to.fork))) return [...steps];
  const isSameList = from.place.fork === to.fork && from.place.arm === to.arm;
  const index = isSameList && to.index > from.place.index ? to.index - 1 : to.index;
  return insertStep(removeStep(steps, id), { ...to, index }, from.step);
}

/** The steps with one of them a place earlier or later, into and out of the ways of forks. */
export function shiftStep(steps: readonly Step[], id: string, by: -1 | 1): Step[] {
  const from = findStanding(steps, id);
  if (from === undefined) return [...steps];
  const rest = removeStep(steps, id);
  const places = placesIn(rest);
  const at = places.findIndex((place) => isSamePlace(place, from.place));
  const to = places[at + by];
  return to === undefined ? [...steps] : insertStep(rest, to, from.step);
}

/** An id for a new step that no other one has. */
export function freeId(steps: readonly Step[], kind: StepKind): string {
  const taken = new Set(standingsOf(steps).map(({ step }) => step.id));
  let number = 1;
  while (taken.has(`${kind}-${number}`)) number += 1;
  return `${kind}-${number}`;
}

/** Every place that there is, in the order in which it is read. */
function placesIn(steps: readonly Step[], fork: string | null = null, arm: Arm = 'then'): Place[] {
  return [
    ...steps.flatMap((step, index) => [
      { fork, arm, index },
      ...(isFork(step) ? armsOf(step).flatMap((each) => placesIn(step[each], step.id, each)) : []),
    ]),
    { fork, arm, index: steps.length },
  ];
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.fork === other.fork && one.arm === other.arm && one.index === other.index;
}

function isWithin(step: Step, id: string): boolean {
  return step.id === id || standingsOf([step]).some((each) => each.step.id === id);
}

function onList(steps: readonly Step[], fork: string | null, arm: Arm, work: (list: Step[]) => Step[]): Step[] {
  if (fork === null) return work([...steps]);
  return steps.map((step) =>
    step.id === fork && isFork(step)
      ? { ...step, [arm]: work(step[arm]) }
      : onArms(step, (list) => onList(list, fork, arm, work)),
  );
}

function onArms(step: Step, work: (list: Step[]) => Step[]): Step {
  return isFork(step) ? { ...step, then: work(step.then), else: work(step.else) } : step;
}
