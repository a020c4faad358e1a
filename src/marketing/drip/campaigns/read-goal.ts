import type { Happening, Test } from '../graph/graph.ts';
import { readHappening } from '../graph/read-happening.ts';
import { readTest } from '../graph/read-test.ts';
import { isGiven, readFields } from '../graph/read-values.ts';

/** What a drip is to bring about, before it is known whether what it names is there. */
export type WishedGoal = { happening: Happening } | { test: Test };

/** What tells something that is true of somebody from something that happens to them. */
const TRUE_OF_SOMEBODY = ['field', 'filters', 'segment', 'dynamic_list_id'];

/** Reads what a drip is to bring about: what a branch asks, or what a wait waits for. */
export function readGoal(place: string, wire: unknown): WishedGoal {
  const fields = readFields(place, wire);
  if (TRUE_OF_SOMEBODY.some((name) => isGiven(fields[name]))) return { test: readTest(place, wire) };
  return { happening: readHappening(place, wire) };
}
