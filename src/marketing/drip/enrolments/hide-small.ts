import { hideSmall, type Shown } from '../../analytics/small-cells.ts';
import type { DripStatistics, PeopleCounts, StepCounts, StepStatistics } from './statistics.ts';

/** Statistics of which some counts may be hidden. */
export interface ShownStatistics {
  people: Shown<keyof PeopleCounts>;
  byReason: Record<string, number | null>;
  steps: (Pick<StepStatistics, 'step' | 'type'> & Shown<keyof StepCounts>)[];
}

/** Hides the counts that are so small that they could point at somebody, and the sums that would give them away. */
export function hideSmallCounts({ people, byReason, steps }: DripStatistics, min: number | null): ShownStatistics {
  const shownSteps = steps.map(({ step, type, ...counts }) => ({ step, type, ...hideSmall(counts, min) }));
  const { small_cells_suppressed: _, ...shownReasons } = hideSmall(byReason, min);
  const waiting = shownSteps.map((step) => step.waiting);
  const exited = [...shownSteps.map((step) => step.exited), ...Object.values(shownReasons)];
  return { people: hidePeople(hideSmall(people, min), waiting, exited), byReason: shownReasons, steps: shownSteps };
}

function hidePeople(
  people: Shown<keyof PeopleCounts>,
  waiting: (number | null)[],
  exits: (number | null)[],
): Shown<keyof PeopleCounts> {
  const active = waiting.includes(null) ? null : people.active;
  const exited = exits.includes(null) ? null : people.exited;
  const parts = [active, exited, people.subscriber_completed_count];
  if (!parts.includes(null)) return people;
  return { ...people, active, exited, subscriber_count: null, small_cells_suppressed: true };
}
