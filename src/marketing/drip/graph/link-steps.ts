import { freeIds } from './free-ids.ts';
import type { Graph, Node } from './graph.ts';
import { isEndless, type Link } from './links.ts';
import { makeGraph, makeNode } from './make-graph.ts';
import type { OwnFields } from './own-fields.ts';

/** A step that was read and has yet to learn where it leads, with an id if it was given one. */
export interface ReadStep {
  id: string | undefined;
  own: OwnFields;
  /** What stands in it, where it is a branch or a wait. */
  arms: { yes: ReadItem[]; no: ReadItem[] };
}

export type ReadItem = ReadStep | { goto: string | null };

/** The graph of a list, of which `steps` are all the steps in the order in which they stand. */
export function linkSteps(list: readonly ReadItem[], steps: readonly ReadStep[]): Graph {
  const ids = idsOf(steps);
  const nodes = new Map<ReadStep, Node>();
  const first = enter(list, null);
  return makeGraph(
    first,
    steps.map((step) => nodes.get(step) as Node),
  );

  /** Links a list that goes on with `after`, and gives where it begins. */
  function enter(items: readonly ReadItem[], after: string | null): string | null {
    return items.reduceRight((next, item) => ('goto' in item ? item.goto : link(item, next)), after);
  }

  function link(step: ReadStep, next: string | null): string {
    const id = ids.get(step) as string;
    nodes.set(step, makeNode(id, step.own, linksFrom(step, next)));
    return id;
  }

  function linksFrom({ own, arms }: ReadStep, next: string | null): Map<Link, string | null> {
    return new Map([
      ['next', next],
      ['then', enter(arms.yes, next)],
      ['else', isEndless(own) ? null : enter(arms.no, next)],
    ]);
  }
}

/** The ids of steps: those that they were given, and for the others the first of s1, s2 and so on that are free. */
function idsOf(steps: readonly ReadStep[]): ReadonlyMap<ReadStep, string> {
  const makeId = freeIds(new Set(steps.map(({ id }) => id)));
  return new Map(steps.map((step) => [step, step.id ?? makeId()]));
}
